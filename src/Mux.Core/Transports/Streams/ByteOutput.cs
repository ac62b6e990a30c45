namespace Mux.Transports.Streams;

/// <summary>The sending direction of a connection: one write at a time. One thread at a time.</summary>
internal abstract class ByteOutput
{
    /// <summary>The most that one write takes: enough that what it costs is shared by many messages, few enough to hold one for every slow peer.</summary>
    protected const int LargestWrite = 65_536;

    /// <summary>Whether this direction can end while the other one goes on.</summary>
    public abstract bool CanShutdown { get; }

    /// <summary>Begins to write a copy of some bytes. Throws what the stream fails with.</summary>
    /// <returns>How many, from the front.</returns>
    public abstract int Begin(ReadOnlySpan<byte> bytes);

    /// <summary>Calls back once when there is something to do for <see cref="TryEnd"/>.</summary>
    public abstract void OnCompleted(Action continuation);

    /// <summary>Ends the write as far as that goes without waiting. Throws what it failed with, and is over then.</summary>
    /// <returns>False when there is something to wait for.</returns>
    public abstract bool TryEnd();

    /// <summary>Ends the direction in order. Nothing is being written.</summary>
    public abstract void Shutdown();

    /// <summary>Makes a write that is pending complete soon, where that is possible without the stream's disposal. From any thread.</summary>
    public abstract void Cancel();

    /// <summary>Gives the direction back if it has an end of its own. Nothing is being written, and nothing will be.</summary>
    public abstract void Release();
}
