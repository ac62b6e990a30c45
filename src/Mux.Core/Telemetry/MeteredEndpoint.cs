using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>A channel or server with metrics.</summary>
/// <param name="ledger">Its totals.</param>
/// <param name="clock">Decides how long a sum of them is shared.</param>
/// <param name="methods">Gets its methods, for their names; the list may grow.</param>
/// <param name="tags">Tags that distinguish it from others of its kind: the client's name, and the server's address.</param>
internal sealed class MeteredEndpoint(
    ConnectionLedger ledger, Clock clock, Func<IEnumerable<MethodDescriptor>> methods, KeyValuePair<string, object?>[] tags)
{
    public LedgerSnapshot Snapshot { get; } = new(ledger, clock);

    public LedgerTotals Totals => Snapshot.Read();

    public IEnumerable<MethodDescriptor> Methods => methods();

    public KeyValuePair<string, object?>[] Tags => tags;

    /// <summary>Gets the methods of its calls in the other direction: from a server to its clients, or the reverse.</summary>
    public Func<IEnumerable<MethodDescriptor>> ReverseMethods { get; init; } = static () => [];

    /// <summary>Counts the servers of a channel with several; null for others.</summary>
    public Func<EndpointCounts>? Endpoints { get; init; }

    /// <summary>Gets the attempts that its retry budget has left; null if it sends no call again.</summary>
    public Func<long>? RetryBudget { get; init; }

    /// <summary>Gets the bytes of requests that it keeps to send them again; null if it keeps none.</summary>
    public Func<long>? KeptBytes { get; init; }

    /// <summary>Gets the name of the client that forwards a method; null for methods that the endpoint serves itself.</summary>
    public Func<MethodDescriptor, string?> ClientOf { get; init; } = static _ => null;

    /// <summary>Memory that its peers make it hold; null if that is not limited.</summary>
    public MemoryBudget? Memory { get; init; }

    /// <summary>The keys of its calls that run one after the other; null if it serves no such methods.</summary>
    public KeyTable? Keys { get; init; }

    /// <summary>What it takes of the requests that arrive; null for a channel.</summary>
    public AdmissionGate? Admission { get; init; }
}

/// <summary>
/// Sums a ledger for all instruments of one endpoint. An export reads a dozen of them, and a sum visits every connection and method under a lock that accepting
/// takes as well; so all reads within <see cref="Lifetime"/> share one. Safe for concurrent use.
/// </summary>
internal sealed class LedgerSnapshot(ConnectionLedger ledger, Clock clock)
{
    /// <summary>Microseconds for which a sum is shared.</summary>
    public const long Lifetime = 100_000;

    private readonly Lock _gate = new(); // guards the fields below; others wait for a sum that is being made, and share it
    private LedgerTotals? _totals;
    private long _until;

    /// <summary>Gets the sum, which is not changed any more; at most <see cref="Lifetime"/> old.</summary>
    public LedgerTotals Read()
    {
        lock (_gate)
        {
            long now = clock.Now;
            if (_totals is { } known && now < _until) return known;
            var totals = ledger.Sum();
            (_totals, _until) = (totals, now + Lifetime);
            return totals;
        }
    }

    /// <summary>Has the next reader sum again.</summary>
    public void Forget()
    {
        lock (_gate) _totals = null;
    }
}

/// <summary>What the source of a channel's endpoints has done since the channel was created.</summary>
/// <param name="Changed">Sets that differed from the one before.</param>
/// <param name="Unchanged">Sets that did not: the source has looked.</param>
/// <param name="Failed">Times that it failed, or ended without a set.</param>
internal readonly record struct SourceUpdates(long Changed, long Unchanged, long Failed);

/// <summary>The servers of a channel at one moment, by what they can do for it. Each counts once.</summary>
/// <param name="Serving">Open, and given calls.</param>
/// <param name="Connecting">Not open: being dialed, or waiting to be.</param>
/// <param name="Ejected">Open, and left out because they failed too many calls.</param>
/// <param name="Leaving">About to stop, as their source or they themselves say.</param>
/// <param name="Ejections">How often one was ejected since the channel was created.</param>
internal readonly record struct EndpointCounts(int Serving, int Connecting, int Ejected, int Leaving, long Ejections)
{
    /// <summary>What their source has done.</summary>
    public SourceUpdates Updates { get; init; }
}
