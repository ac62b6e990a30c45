using Mux.Engine;

namespace Mux;

/// <summary>Defaults of a profile for all limits that differ between profiles.</summary>
internal sealed record ProfileDefaults
{
    private static readonly ProfileDefaults s_edge = new();

    private static readonly ProfileDefaults s_internal = new()
    {
        MaxMessageBytes = 64 << 20,
        MaxMetadataBytes = ushort.MaxValue,
        MaxReassemblyBytes = 128 << 20,
        MaxUnsentBytes = 4 << 20,
        MaxCallsPerConnection = 16_384,
        ControlFrames = 100_000,
        TinyFrames = 100_000,
        MisusedRequests = 10_000,
        PrematureCancels = BudgetLimits.Unbounded,
        PingInterval = TimeSpan.FromMilliseconds(100),
        PingStrikes = 1_000,
        MinByteRate = BudgetLimits.Unbounded,
        FragmentTimeout = TimeSpan.FromMinutes(5),
        MaxHandlers = BudgetLimits.Unbounded,
        SharesHandlersByAddress = false,
        MaxPendingHandshakes = 1_024,
        MaxPendingHandshakesPerAddress = BudgetLimits.Unbounded,
        MaxUnsentBytesOfServer = 1L << 30,
        MemoryPart = 2,
        SharesHeldBytesByAddress = false,
        MinMessageRate = BudgetLimits.Unbounded,
    };

    public int MaxMessageBytes { get; private init; } = 4 << 20;

    public int MaxMetadataBytes { get; private init; } = 8 << 10;

    public long MaxReassemblyBytes { get; private init; } = 64 << 20;

    public long MaxUnsentBytes { get; private init; } = 1 << 20;

    public int MaxCallsPerConnection { get; private init; } = 4_096;

    public long ControlFrames { get; private init; } = 10_000;

    public long TinyFrames { get; private init; } = 10_000;

    public long MisusedRequests { get; private init; } = 200;

    public long PrematureCancels { get; private init; } = 100_000;

    public TimeSpan PingInterval { get; private init; } = TimeSpan.FromSeconds(1);

    public long PingStrikes { get; private init; } = 100;

    public long MinByteRate { get; private init; } = 240;

    public TimeSpan FragmentTimeout { get; private init; } = TimeSpan.FromSeconds(30);

    public long MaxHandlers { get; private init; } = 10_000;

    /// <summary>True if the connections of one address may have at most half of the handlers.</summary>
    public bool SharesHandlersByAddress { get; private init; } = true;

    public long MaxPendingHandshakes { get; private init; } = 256;

    public long MaxPendingHandshakesPerAddress { get; private init; } = 64;

    public long MaxUnsentBytesOfServer { get; private init; } = 256 << 20;

    /// <summary>Divisor for the share of the process's memory that peers may make a server hold.</summary>
    public int MemoryPart { get; private init; } = 4;

    /// <summary>True if the connections of one address may have at most a quarter of that share.</summary>
    public bool SharesHeldBytesByAddress { get; private init; } = true;

    /// <summary>Minimum rate in bytes per second.</summary>
    public long MinMessageRate { get; private init; } = 16 << 10;

    public static ProfileDefaults Of(MuxProfile profile) => profile == MuxProfile.Internal ? s_internal : s_edge;
}
