using System.Collections.Concurrent;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Calls;

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
    public IReadOnlyList<PeerHook> Hooks { get; init; } = [];

    /// <summary>True if peers are told what code of this side threw.</summary>
    public bool DetailedErrors { get; init; }

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

/// <summary>An object of users that learns of the connections of a server, and what is told if it fails. Safe for concurrent use.</summary>
/// <param name="events">The object.</param>
internal sealed class PeerHook(IMuxPeerEvents events)
{
    /// <summary>
    /// Milliseconds after which a client that is refused may dial again. Its connection was open, so it would come back as soon as after the first loss of a
    /// server, ten times a second.
    /// </summary>
    private const uint RefusedFor = 1000;

    private readonly RateLimit _failureLog = new();

    public IMuxPeerEvents Events => events;

    /// <summary>The type of the object, for logs and for peers.</summary>
    public string Name { get; } = TypeOf(events.GetType()).ToString();

    /// <summary>Ends a connection of which the object has failed to learn: what it should have prepared for the peer is missing.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="error">What the object has thrown.</param>
    /// <param name="logger">The log of the server.</param>
    /// <param name="isDetailed">True if the peer is told what was thrown.</param>
    public void Refuse(Connection connection, Exception error, ILogger logger, bool isDetailed)
    {
        var text = $"{Name}.{nameof(IMuxPeerEvents.OnConnectedAsync)} has failed, so the server refuses this connection.";
        if (isDetailed) text += $" It threw {error.GetType()}: {ThrownMessage.Of(error)}";
        connection.Close(new ConnectionEnd(CloseReason.Refused, text), new GoAwayFrame(ConnectionCode.Refused, RefusedFor, text));
        var level = _failureLog.Temper(LogLevel.Error, connection.Clock.Now, out var others);
        ServerLog.OnConnectedFailed(logger, level, Name, connection.PeerPlace, others, error);
    }

    /// <summary>A generic type of the host makes an object of its type argument for each connection: of that one users know.</summary>
    private static Type TypeOf(Type type) => type is { IsGenericType: true, Namespace: "Mux.Hosting" } ? type.GenericTypeArguments[0] : type;
}

/// <summary>Binds the methods of proxies to a route.</summary>
/// <param name="route">Carries the calls.</param>
/// <param name="owner">
/// The channel of the route, which its proxies keep from the garbage collector: one that they can use is not dropped.
/// The route cannot keep it, because the connections keep the route. Null if its drop is not reported.
/// </param>
internal sealed class RouteInvoker(CallRoute route, object? owner = null) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        method.Prepare();
        route.Register(method.Descriptor);
        bool isOneWay = (method.Descriptor.Shape & MethodShape.OneWay) != 0;
        bool hedges = !isOneWay && route.PolicyOf(method.Descriptor) is { Hedges: true };
        if (hedges) return new HedgedCaller<TRequest, TResponse>(method, route, owner);
        return new UnaryCaller<TRequest, TResponse>(method, route, owner);
    }

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        method.Prepare();
        route.Register(method.Descriptor);
        return new StreamStarter<TRequest, TItem, TResponse>(method, route, owner);
    }
}
