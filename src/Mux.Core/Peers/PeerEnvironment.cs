using System.Collections.Concurrent;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Connections;
using Mux.Contracts;
using Mux.Filters;
using Mux.Timing;

namespace Mux.Peers;

/// <summary>What the peers of one server or channel share: how their calls are made, and what counts them. Safe for concurrent use.</summary>
/// <param name="calls">Defaults for the calls.</param>
/// <param name="filters">Filters around the calls.</param>
/// <param name="holdsDeadlines">
/// True if nothing else asks handlers to keep their deadlines for the calls that they make: a server, whose process may have no channel.
/// </param>
internal sealed class PeerEnvironment(RouteSettings calls, FilterBinding filters, bool holdsDeadlines)
{
    /// <summary>What the ids of all peers of this process begin with.</summary>
    public static readonly string Process = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8));
    private static long s_lastNumber;

    private readonly ConcurrentDictionary<int, MethodDescriptor> _methods = new(concurrencyLevel: 1, capacity: 0);
    private int _deadlines; // 0 before the first proxy, 1 while this is a user of AmbientCall, 2 after the end

    public RouteSettings Calls => calls;

    /// <summary>The log of the server or channel. It does not throw.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>Learn of connections; none at a channel.</summary>
    public IReadOnlyList<IMuxPeerEvents> Events { get; init; } = [];

    /// <summary>Gets what has the calls that wait for a peer.</summary>
    public required Func<ConnectionPeer, IPeerWatch> WatchOf { get; init; }

    /// <summary>Counts calls in both directions.</summary>
    public ConnectionLedger Ledger { get; } = new();

    /// <summary>Methods of the proxies made so far; of a channel, also of its own proxies.</summary>
    public IEnumerable<MethodDescriptor> Methods => _methods.Values;

    /// <summary>Names a new peer: unique among all processes, and in order in one.</summary>
    public static string NextId() => $"{Process}-{Interlocked.Increment(ref s_lastNumber)}";

    /// <summary>Gets what the ids of all peers of one process begin with, from the id of one of them.</summary>
    public static string ProcessOf(string id) => id.LastIndexOf('-') is var end and > 0 ? id[..end] : id;

    /// <summary>Gets what makes the calls of a peer, with the filters around them.</summary>
    /// <param name="route">Carries the calls.</param>
    /// <param name="address">The address of the peer.</param>
    public CallInvoker InvokerOf(PeerCalls route, string address)
    {
        var invoker = new RouteInvoker(route);
        if (filters.IsEmpty) return invoker;
        var timeout = calls.Deadline == Clock.Never ? Timeout.InfiniteTimeSpan : TimeSpan.FromMicroseconds(calls.Deadline);
        return new FilteringInvoker(invoker, filters, new FilterSettings(address, timeout, calls.InheritsDeadlines));
    }

    /// <summary>Calls of a method are counted from now on. They keep no deadlines of handlers.</summary>
    public void Note(MethodDescriptor method) => _methods.TryAdd(method.Index, method);

    /// <summary>A proxy is made that calls a method.</summary>
    public void Register(MethodDescriptor method)
    {
        Note(method);
        if (holdsDeadlines && calls.InheritsDeadlines && Interlocked.CompareExchange(ref _deadlines, 1, 0) == 0) AmbientCall.Use();
    }

    /// <summary>The server starts.</summary>
    public void Begin() => calls.Durations.Log.Watch();

    /// <summary>The server has stopped: handlers need not keep their deadlines for it. May be called repeatedly.</summary>
    public void End()
    {
        calls.Durations.Log.Unwatch();
        if (Interlocked.Exchange(ref _deadlines, 2) == 1) AmbientCall.Release();
    }
}
