using System.Globalization;
using Mux.Engine;
using Mux.Runtime;

namespace Mux;

/// <summary>The limits in force: those that were set, and the profile's for the others.</summary>
internal sealed class EffectiveLimits
{
    /// <summary>Divisor for the share of one address in the memory that peers may make a server hold.</summary>
    private const int AddressPart = 4;

    /// <summary>Minimum in the smallest container.</summary>
    private const long LeastHeldBytes = 16 << 20;

    /// <summary>Part of the memory of the process in which calls of one connection of a channel may wait, and its bounds.</summary>
    private const int QueuedPart = 8;
    private const long LeastQueuedBytes = 32 << 20, MostQueuedBytes = 256 << 20;

    private readonly List<KeyValuePair<string, object>> _values = [];

    private EffectiveLimits(MuxOptions options)
    {
        var limits = options.PeerLimits;
        var defaults = ProfileDefaults.Of(options.Profile);
        long rate = limits.MinByteRate.Or(defaults.MinByteRate);
        long messageRate = limits.MinMessageRate.Or(defaults.MinMessageRate);
        Budgets = new BudgetLimits
        {
            ControlFrames = limits.ControlFrames.Or(defaults.ControlFrames),
            TinyFrames = limits.TinyFrames.Or(defaults.TinyFrames),
            Misuse = limits.MisusedRequests.Or(defaults.MisusedRequests),
            PrematureCancels = limits.PrematureCancels.Or(defaults.PrematureCancels),
            PingInterval = Clock.Microseconds(limits.PingInterval ?? defaults.PingInterval),
            PingStrikes = limits.PingStrikes.Or(defaults.PingStrikes),
            MinByteRate = rate == BudgetLimits.Unbounded ? 0 : rate,
            FragmentTimeout = Clock.Microseconds(limits.FragmentTimeout ?? defaults.FragmentTimeout),
            MinMessageRate = messageRate == BudgetLimits.Unbounded ? 0 : messageRate,
        };
    }

    /// <summary>Budgets of each connection.</summary>
    public BudgetLimits Budgets { get; }

    /// <summary>Limit of a server.</summary>
    public long MaxHandlers { get; private init; } = BudgetLimits.Unbounded;

    /// <inheritdoc cref="MaxHandlers"/>
    public long MaxHandlersPerAddress { get; private init; } = BudgetLimits.Unbounded;

    /// <inheritdoc cref="MaxHandlers"/>
    public long MaxPendingHandshakes { get; private init; } = BudgetLimits.Unbounded;

    /// <inheritdoc cref="MaxHandlers"/>
    public long MaxPendingHandshakesPerAddress { get; private init; } = BudgetLimits.Unbounded;

    /// <inheritdoc cref="MaxHandlers"/>
    public long MaxUnsentBytes { get; private init; } = BudgetLimits.Unbounded;

    /// <inheritdoc cref="MaxHandlers"/>
    public long MaxHeldBytes { get; private init; } = BudgetLimits.Unbounded;

    /// <inheritdoc cref="MaxHandlers"/>
    public long MaxHeldBytesPerAddress { get; private init; } = BudgetLimits.Unbounded;

    /// <summary>All limits of a server by name.</summary>
    public IReadOnlyList<KeyValuePair<string, object>> Values => _values;

    public static EffectiveLimits Of(MuxOptions options) => new(options);

    /// <param name="options">Options of the server.</param>
    /// <param name="maxConnections">Number of connections it accepts, which may be lower than in the options.</param>
    public static EffectiveLimits Of(MuxServerOptions options, int maxConnections)
    {
        var defaults = ProfileDefaults.Of(options.Profile);
        var limits = options.Limits;
        long pending = limits.MaxPendingHandshakes.Or(defaults.MaxPendingHandshakes);
        long handlers = limits.MaxHandlers.Or(defaults.MaxHandlers);
        long held = limits.MaxHeldBytes.Or(HeldBytesOf(options, defaults));
        var effective = new EffectiveLimits(options)
        {
            MaxHandlers = handlers,
            MaxHandlersPerAddress = limits.MaxHandlersPerAddress.Or(
                handlers == BudgetLimits.Unbounded || !defaults.SharesHandlersByAddress ? BudgetLimits.Unbounded : handlers - handlers / 2),
            MaxPendingHandshakes = pending,
            MaxPendingHandshakesPerAddress = limits.MaxPendingHandshakesPerAddress.Or(
                defaults.MaxPendingHandshakesPerAddress == BudgetLimits.Unbounded
                    ? BudgetLimits.Unbounded
                    : Math.Min(defaults.MaxPendingHandshakesPerAddress, pending)),
            MaxUnsentBytes = limits.MaxUnsentBytes.Or(Math.Max(Math.Min(defaults.MaxUnsentBytesOfServer, held), options.MaxUnsentBytes)),
            MaxHeldBytes = held,
            MaxHeldBytesPerAddress = limits.MaxHeldBytesPerAddress.Or(
                held == BudgetLimits.Unbounded || !defaults.SharesHeldBytesByAddress ? BudgetLimits.Unbounded : held / AddressPart),
        };
        effective.Name(options, maxConnections);
        return effective;
    }

    /// <summary>
    /// Computes a share of the memory that the process may use (a container's limit bounds it), but at least the memory of two messages of the maximum length.
    /// </summary>
    public static long HeldBytesOf(MuxOptions options, ProfileDefaults defaults) =>
        Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / defaults.MemoryPart, Math.Max(LeastHeldBytes, 2L * options.MaxMessageBytes));

    /// <summary>Gets the bytes that calls of one connection of a channel may wait with by default: a share of the memory that the process may use.</summary>
    public static long QueuedBytesOfProcess =>
        Math.Clamp(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / QueuedPart, LeastQueuedBytes, MostQueuedBytes);

    /// <summary>Describes in one line, for the log, the limits of a server that are not its profile's: they were set, or follow from one that was.</summary>
    public string DescribeDifferences(MuxProfile profile)
    {
        var standard = new MuxServerOptions { Profile = profile };
        var unchanged = Of(standard, standard.MaxConnections)._values.ToHashSet();
        var differences = _values.Where(value => !unchanged.Contains(value)).Select(value => $"{value.Key} {value.Value}").ToList();
        return differences.Count == 0 ? "none" : string.Join(", ", differences);
    }

    private void Name(MuxServerOptions options, int maxConnections)
    {
        Add(nameof(options.MaxConnections), maxConnections);
        Add(nameof(options.MaxCallsPerConnection), options.MaxCallsPerConnection);
        Add(nameof(options.MaxMethodsPerConnection), options.MaxMethodsPerConnection);
        Add(nameof(options.MaxFramePayload), options.MaxFramePayload);
        Add(nameof(options.MaxMessageBytes), options.MaxMessageBytes);
        Add(nameof(options.MaxMetadataBytes), options.MaxMetadataBytes);
        Add(nameof(options.MaxReassemblyBytes), options.MaxReassemblyBytes);
        Add(nameof(options.MaxStreamBytes), options.MaxStreamBytes);
        Add(nameof(options.MaxUnsentBytes), options.MaxUnsentBytes);
        Add(nameof(options.MaxParkedBytes), options.MaxParkedBytes);
        Add(nameof(options.MaxRunningBytes), options.MaxRunningBytes);
        Add(nameof(options.HandshakeTimeout), options.HandshakeTimeout);
        Add(nameof(options.StallTimeout), options.StallTimeout);
        Add(nameof(options.IdleTimeout), Duration(options.IdleTimeout));
        Add(nameof(options.MaxCallTimeout), Duration(options.MaxCallTimeout));
        Add(nameof(options.MaxQueueTime), Duration(options.MaxQueueTime));
        Add(nameof(options.MaxConnectionAge), Duration(options.MaxConnectionAge));
        AddLimit(nameof(options.Limits.MaxHandlers), MaxHandlers);
        AddLimit(nameof(options.Limits.MaxHandlersPerAddress), MaxHandlersPerAddress);
        AddLimit(nameof(options.Limits.MaxPendingHandshakes), MaxPendingHandshakes);
        AddLimit(nameof(options.Limits.MaxPendingHandshakesPerAddress), MaxPendingHandshakesPerAddress);
        AddLimit(nameof(options.Limits.MaxUnsentBytes), MaxUnsentBytes);
        AddLimit(nameof(options.Limits.MaxHeldBytes), MaxHeldBytes);
        AddLimit(nameof(options.Limits.MaxHeldBytesPerAddress), MaxHeldBytesPerAddress);
        AddLimit(nameof(options.Limits.ControlFrames), Budgets.ControlFrames);
        AddLimit(nameof(options.Limits.TinyFrames), Budgets.TinyFrames);
        AddLimit(nameof(options.Limits.MisusedRequests), Budgets.Misuse);
        AddLimit(nameof(options.Limits.PrematureCancels), Budgets.PrematureCancels);
        Add("Limits.PingInterval", TimeSpan.FromMicroseconds(Budgets.PingInterval));
        AddLimit(nameof(options.Limits.PingStrikes), Budgets.PingStrikes);
        AddLimit(nameof(options.Limits.MinByteRate), Budgets.MinByteRate == 0 ? BudgetLimits.Unbounded : Budgets.MinByteRate);
        AddLimit(nameof(options.Limits.MinMessageRate), Budgets.MinMessageRate == 0 ? BudgetLimits.Unbounded : Budgets.MinMessageRate);
        Add("Limits.FragmentTimeout", Budgets.FragmentTimeout == BudgetLimits.Unbounded ? nameof(MuxLimit.Unbounded)
            : TimeSpan.FromMicroseconds(Budgets.FragmentTimeout));
    }

    private static object Duration(TimeSpan value) => value == Timeout.InfiniteTimeSpan ? nameof(MuxLimit.Unbounded) : value;

    private void AddLimit(string name, long value) =>
        Add($"Limits.{name}", value == BudgetLimits.Unbounded ? nameof(MuxLimit.Unbounded) : value.ToString(CultureInfo.InvariantCulture));

    private void Add(string name, object value) => _values.Add(new(name, value));
}
