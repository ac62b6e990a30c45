namespace Mux.Tool.Chaos;

/// <summary>Faults of one direction of a connection. Immutable.</summary>
internal sealed record ChaosFaults
{
    public static readonly ChaosFaults None = new();

    /// <summary>Time that each byte takes longer. Bytes keep their order, and the delay alone does not limit their rate.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>Largest deviation from <see cref="Delay"/>, evenly distributed, at most the delay. Bytes that would overtake others wait for them.</summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>Maximum rate; 0 for no limit.</summary>
    public long BytesPerSecond { get; init; }

    /// <summary>Maximum number of bytes that are sent at once.</summary>
    public int Slice { get; init; } = int.MaxValue;

    /// <summary>True to forward nothing. The bytes wait, and the sender when the buffer is full; nothing is lost.</summary>
    public bool Stall { get; init; }

    /// <summary>
    /// True to drop everything, the end of the stream included, so that both sides believe that the other is still there. A connection that has lost bytes is
    /// reset when the fault ends.
    /// </summary>
    public bool HalfOpen { get; init; }

    /// <summary>Number of bytes after which the connection is reset at both sides; of a range each connection draws one. Null for none.</summary>
    public ByteRange? ResetAt { get; init; }

    /// <summary>Share of the bytes that get a wrong bit, from 0 to 1.</summary>
    public double Corrupt { get; init; }
}
