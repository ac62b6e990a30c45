using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>Bulk of a mixed workload in the measured time.</summary>
internal sealed record BulkOutcome
{
    /// <summary>
    /// Maximum number of bytes ahead of a small call on its connection: 128 KiB that the kernel holds unsent (TCP_NOTSENT_LOWAT), 64 KiB of one batch of bulk,
    /// and the 32 KiB of the fragment that has begun.
    /// </summary>
    public const int BytesAhead = (128 + 64 + 32) * 1024;

    public required LatencyHistogram Latencies { get; init; }

    /// <summary>Size of one reply in bytes.</summary>
    public required int Size { get; init; }

    /// <summary>Number of connections that carried it.</summary>
    public required int Connections { get; init; }

    public required TimeSpan Elapsed { get; init; }

    /// <summary>Rate in millions of bytes per second.</summary>
    public double MegabytesPerSecond => Elapsed == TimeSpan.Zero ? 0 : Latencies.Replies * (Size / 1e6) / Elapsed.TotalSeconds;

    /// <summary>
    /// Time a connection takes for <see cref="BytesAhead"/>, in microseconds; null if there was no bulk. A byte per microsecond is a megabyte per second.
    /// </summary>
    public double? BoundMicroseconds => MegabytesPerSecond == 0 ? null : BytesAhead / (MegabytesPerSecond / Connections);
}
