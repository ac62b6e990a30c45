using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Budgets that the connections of one server share, or those of a channel that serves something.</summary>
/// <param name="Handlers">Limit of the requests that run, over all connections.</param>
/// <param name="Stalls">Notified of peers that stop reading; null if each connection looks after itself.</param>
/// <param name="Memory">Limit of the bytes that peers make the server hold, over all connections; null if only each connection has limits.</param>
/// <param name="Refused">Called for each call that a used-up budget refuses, outside all locks.</param>
internal sealed record SharedBudgets(HandlerLimit Handlers, IStallWatch? Stalls, MemoryBudget? Memory, Action<PeerLimit> Refused)
{
    /// <summary>Subscriptions for each handler that may run: each holds memory, and no thread.</summary>
    private const int SubscriptionsPerHandler = 10;

    /// <summary>Limit of the subscriptions to topics, which do not count as running handlers, over all connections.</summary>
    public HandlerLimit Subscriptions { get; } =
        new(Times(Handlers.Limit), static _ => { }, Times(Handlers.PerAddress));

    /// <summary>What the server offers to its callers.</summary>
    public LeaseOffer Leases { get; } = new();

    /// <summary>What the server takes of the requests that arrive.</summary>
    public AdmissionGate Admission { get; } = new();

    private static long Times(long handlers) => handlers == BudgetLimits.Unbounded ? handlers : handlers * SubscriptionsPerHandler;

    /// <summary>Reports a call that was refused for lack of memory.</summary>
    public void OnRefused(MemoryVerdict lack) => Refused(lack == MemoryVerdict.NoRoomForAddress ? PeerLimit.HeldBytesOfAddress : PeerLimit.HeldBytes);
}

/// <summary>
/// What a server offers to the callers that read LEASE. Its connections take a new offer with the next bytes that they send anyway, so an idle one sends none
/// unless the offer is urgent, and each sends an offer once. Thread-safe.
/// </summary>
internal sealed class LeaseOffer
{
    private volatile Version? _current;

    /// <summary>The current offer; null if there was none yet. A new object for each offer.</summary>
    public Version? Current => _current;

    /// <summary>Replaces the offer. The caller keeps to ten a second, because each connection sends each of them.</summary>
    public void Replace(LeaseFrame frame) => _current = new Version(frame);

    /// <summary>One offer.</summary>
    internal sealed class Version(LeaseFrame frame)
    {
        public LeaseFrame Frame => frame;

        /// <summary>True if it must be sent although nothing else is: the server is about to stop, and a caller may have connected a moment ago.</summary>
        public bool IsUrgent => frame.MaxOpenCalls == 0;
    }
}
