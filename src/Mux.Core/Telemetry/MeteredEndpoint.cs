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
