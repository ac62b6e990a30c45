using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>Checks that a <see cref="Pattern"/> arrives whole and in order, consuming all at once or random parts of it.</summary>
public sealed class PatternReceiver(int seed, long total, bool consumeRandomly)
{
    private readonly Pattern _pattern = new(seed);
    private readonly Random _random = new(seed);

    /// <summary>Bytes consumed.</summary>
    public long Position { get; private set; }

    /// <summary>What was wrong, if anything was.</summary>
    public string? Fault { get; private set; }

    public Signal Complete { get; } = new($"all {total} bytes of the pattern arrived");

    /// <summary>To be a probe's <see cref="LinkProbe.WhenReceived"/>.</summary>
    public int Receive(ReadOnlySpan<byte> bytes)
    {
        long different = _pattern.FirstDifference(bytes, Position);
        if (different >= 0) Fault ??= $"seed {seed}: byte {different} is wrong";
        if (Position + bytes.Length > total) Fault ??= $"seed {seed}: {Position + bytes.Length} bytes arrived, {total} were sent";

        bool last = Position + bytes.Length >= total;
        int least = Math.Max(0, bytes.Length - Link.MaxUnconsumedBytes);
        int consumed = last || !consumeRandomly ? bytes.Length : _random.Next(least, bytes.Length + 1);
        Position += consumed;
        if (last || Fault is not null) Complete.Set();
        return consumed;
    }
}
