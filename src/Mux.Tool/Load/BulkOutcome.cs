using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>What the bulk beside the calls of a mixed workload has done, over the measured time.</summary>
internal sealed record BulkOutcome
{
    /// <summary>
    /// What may stand before a small call on its connection: 128 KiB that the kernel holds unsent (TCP_NOTSENT_LOWAT), 64 KiB that one batch of bulk has, and
    /// the 32 KiB of the fragment that has begun.
    /// </summary>
    public const int BytesAhead = (128 + 64 + 32) * 1024;

    public required LatencyHistogram Latencies { get; init; }

    /// <summary>Of one reply.</summary>
    public required int Size { get; init; }

    /// <summary>Connections that carried it.</summary>
    public required int Connections { get; init; }

    public required TimeSpan Elapsed { get; init; }

    /// <summary>In millions of bytes.</summary>
    public double MegabytesPerSecond => Elapsed == TimeSpan.Zero ? 0 : Latencies.Replies * (Size / 1e6) / Elapsed.TotalSeconds;

    /// <summary>
    /// How long a connection takes for <see cref="BytesAhead"/>, in microseconds; null if no bulk came. A byte per microsecond is a megabyte per second.
    /// </summary>
    public double? BoundMicroseconds => MegabytesPerSecond == 0 ? null : BytesAhead / (MegabytesPerSecond / Connections);
}
