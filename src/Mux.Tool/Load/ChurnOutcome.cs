using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>Connections that were replaced in the measured time.</summary>
internal sealed record ChurnOutcome
{
    /// <summary>Requested connections per second.</summary>
    public required double TargetRate { get; init; }

    public required TimeSpan Elapsed { get; init; }

    /// <summary>Number of connections that took the place of another.</summary>
    public required long Connects { get; init; }

    /// <summary>Number of connections that could not be opened: the one before stayed.</summary>
    public required long Errors { get; init; }

    /// <summary>Why the last of them could not be opened; null if all could.</summary>
    public string? LastFailure { get; init; }

    /// <summary>Times from dialing until calls could be made: connecting, TLS, HELLO and authentication.</summary>
    public required LatencyHistogram Latencies { get; init; }

    /// <summary>Connections per second.</summary>
    public double Rate => Elapsed == TimeSpan.Zero ? 0 : Connects / Elapsed.TotalSeconds;
}
