using System.Globalization;
using System.Runtime.CompilerServices;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;

namespace Mux.Server;

/// <summary>
/// The routes of a gateway, and the methods that its clients have called. A service is forwarded by the route of its name, else by the route with the longest
/// prefix, else not at all. Routes are added by one thread before the server starts; then safe for concurrent use.
/// </summary>
/// <remarks>A name takes its place when a call of it is admitted: peers that only name methods, or that may not call them, take none.</remarks>
/// <param name="names">Limits the methods of all gateways of the process.</param>
/// <param name="limitOfRoute">Limits those of one route, so that the names that its callers make up leave places for the other routes.</param>
/// <param name="limitOfConnection">Limits those that one connection is the first to call.</param>
internal sealed class RouteTable(
    ForwardedNames names, int limitOfRoute = ForwardedNames.LimitOfRoute, int limitOfConnection = ForwardedNames.LimitOfConnection) : IMethodFallback
{
    private readonly Dictionary<string, ForwardingRoute> _byService = new(StringComparer.Ordinal);
    private readonly List<ForwardingRoute> _prefixes = []; // the longest first
    private readonly Dictionary<(string Name, MethodShape Shape), ForwardedMethod> _methods = [];
    private readonly Lock _gate = new(); // guards the methods
    private readonly Dictionary<ForwardingRoute, int> _counts = []; // methods of each route; guarded by the lock
    private readonly ConditionalWeakTable<Session, StrongBox<int>> _takenBy = []; // places that a connection has taken; the counts are guarded by the lock
    private HandlerEnvironment? _environment;
    private AbsentMethod? _tooMany, _tooManyOfConnection;

    /// <inheritdoc/>
    public IEnumerable<string> Patterns => Routes.Select(static route => $"{route.Pattern} -> {route.ClientText}");

    public IEnumerable<ForwardingRoute> Routes => _byService.Values.OrderBy(static route => route.Name, StringComparer.Ordinal).Concat(_prefixes);

    /// <inheritdoc/>
    public IEnumerable<MethodDescriptor> Found
    {
        get
        {
            var ofRoutes = Routes.Select(static route => route.Representative);
            lock (_gate) return [.. ofRoutes, .. _methods.Values.Select(static method => method.Descriptor)];
        }
    }

    /// <summary>The largest of the first windows of response streams.</summary>
    public int StreamWindow => Routes.Max(static route => route.Calls.StreamWindow);

    /// <summary>Adds a route.</summary>
    /// <exception cref="InvalidOperationException">A route has the same pattern.</exception>
    public void Add(ForwardingRoute route)
    {
        if (Routes.FirstOrDefault(other => other.Pattern == route.Pattern) is { } other)
        {
            throw new InvalidOperationException($"'{route.Pattern}' is mapped to the {other.ClientText} already: a pattern has one route.");
        }

        if (Routes.FirstOrDefault(other => other.Calls == route.Calls) is { } sameWay) route.Share(sameWay);
        if (!route.IsPrefix)
        {
            _byService.Add(route.Name, route);
            return;
        }

        int at = _prefixes.FindIndex(other => other.Name.Length < route.Name.Length);
        _prefixes.Insert(at < 0 ? _prefixes.Count : at, route);
    }

    /// <summary>Sets what its methods share with the handlers of the server.</summary>
    public void Begin(HandlerEnvironment environment)
    {
        _environment = environment;
        foreach (var route in Routes) route.Marks.Logger = environment.Logger;
        _tooMany = new AbsentMethod(null, null,
            string.Create(CultureInfo.InvariantCulture, $"The gateway has no place for another method: until its process restarts, it forwards at most " +
                $"{limitOfRoute} different ones by one route, and {names.Limit} in all."), environment);
        _tooManyOfConnection = new AbsentMethod(null, null,
            string.Create(CultureInfo.InvariantCulture, $"The gateway has no place for another method that no other connection has called: a connection may " +
                $"be the first to call at most {limitOfConnection}."), environment);
    }

    /// <inheritdoc/>
    public string? ClientOf(MethodDescriptor method)
    {
        lock (_gate)
        {
            if (_methods.TryGetValue((method.FullName, method.Shape), out var found) && found.Descriptor == method) return found.Route.Client;
        }

        return Routes.FirstOrDefault(route => route.Representative == method)?.Client;
    }

    /// <inheritdoc/>
    public InboundMethod? Find(ReadOnlySpan<char> name, MethodShape shape)
    {
        int slash = name.LastIndexOf('/');
        if (slash <= 0 || slash == name.Length - 1 || !IsForwardable(name) || FindRoute(name[..slash]) is not { } route) return null;
        var kept = name.ToString();
        lock (_gate)
        {
            if (_methods.TryGetValue((kept, shape), out var known)) return known;
            if (_counts.GetValueOrDefault(route) >= limitOfRoute) return _tooMany; // of which nothing is kept
        }

        return new UncalledMethod(this, route, kept, shape);
    }

    /// <summary>Gets the method of a call that is admitted, which takes a place if no call had its name before.</summary>
    /// <returns>The method; one that refuses the call if there is no place.</returns>
    public InboundMethod Admit(ForwardingRoute route, string name, MethodShape shape, Session caller)
    {
        lock (_gate)
        {
            if (_methods.TryGetValue((name, shape), out var known)) return known;
            var taken = _takenBy.GetOrCreateValue(caller);
            if (taken.Value >= limitOfConnection) return _tooManyOfConnection!;
            int count = _counts.GetValueOrDefault(route);
            if (count >= limitOfRoute || !names.TryTake()) return _tooMany!;
            (_counts[route], taken.Value) = (count + 1, taken.Value + 1);
            int slash = name.LastIndexOf('/');
            var descriptor = new MethodDescriptor(name[..slash], name[(slash + 1)..], shape, takesToken: true) { Authorization = route.Authorization };
            return _methods[(name, shape)] = new ForwardedMethod(descriptor, route, _environment!);
        }
    }

    /// <summary>
    /// True if a name is one that goes to the service as it came: printable ASCII, of which each character is a byte. Bytes that are not UTF-8 are other
    /// characters here.
    /// </summary>
    private static bool IsForwardable(ReadOnlySpan<char> name) =>
        name.Length <= ProtocolConstants.MaxMethodName && !name.ContainsAnyExceptInRange('!', '~');

    private ForwardingRoute? FindRoute(ReadOnlySpan<char> service)
    {
        if (_byService.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(service, out var exact)) return exact;
        foreach (var route in _prefixes)
        {
            if (service.StartsWith(route.Name, StringComparison.Ordinal)) return route;
        }

        return null;
    }
}

/// <summary>A route of a gateway: the services that it covers, who may call them, and where their calls go. Immutable after the server has started.</summary>
/// <param name="pattern">Name of a service, or a prefix of names followed by an asterisk.</param>
/// <param name="client">Name of the channel, for failures and metrics.</param>
/// <param name="calls">Carries the calls.</param>
/// <param name="authorization">Who may call; null if the route does not say.</param>
/// <param name="maxCalls">Calls that are open at once at each server of the channel.</param>
/// <param name="maxRequestStreams">Those among them that have a request stream.</param>
/// <param name="claims">Types of claims of callers that services get in addition to the roles; null for none.</param>
/// <param name="owner">The channel, which must not be taken for dropped while the route can carry calls.</param>
internal sealed class ForwardingRoute(string pattern, string client, CallRoute calls, MethodAuthorization? authorization,
    int maxCalls = ForwardingRoute.DefaultCalls, int maxRequestStreams = ForwardingRoute.DefaultRequestStreams,
    string[]? claims = null, object? owner = null)
{
    /// <summary>
    /// Calls of all clients at each server. A server with default limits lets the connections of a gateway have more: one has 4,096 slots, and two get 7,000 of
    /// its 10,000 places, or 5,000 if the gateway is on another machine.
    /// </summary>
    public const int DefaultCalls = 4096;

    /// <summary>
    /// Calls with a request stream at each server: two connections with default limits have windows for as many. Two connections of a client, with the windows
    /// that each has at the gateway, get half of them, and leave as many as one of them has.
    /// </summary>
    public const int DefaultRequestStreams = 4096;

    private const int MaxName = 127;

    public string Pattern => pattern;

    public string Client => client;

    /// <summary>The channel as texts name it: "client 'orders'", or "client without a name".</summary>
    public string ClientText { get; } = client.Length == 0 ? "client without a name" : $"client '{client}'";

    public CallRoute Calls => calls;

    public object? Owner { get; } = owner;

    public MethodAuthorization? Authorization => authorization;

    /// <summary>Makes the marks of this gateway on forwarded requests.</summary>
    public ForwardedMarks Marks { get; } = new(pattern, claims ?? []);

    /// <summary>What clients share: one object for all routes to the same channel. Not written after the server has started.</summary>
    public RouteLimit Limit { get; private set; } = new(maxCalls, maxRequestStreams, () => calls.ServerCount);

    /// <summary>Shares the limit of another route to the same channel; the lower figures count.</summary>
    public void Share(ForwardingRoute other)
    {
        other.Limit.Lower(Limit);
        Limit = other.Limit;
    }

    public bool IsPrefix { get; } = pattern[^1] == '*';

    /// <summary>The name of the service, or the prefix.</summary>
    public string Name { get; } = pattern.TrimEnd('*');

    /// <summary>A method that has the access rule of all methods of this route.</summary>
    public MethodDescriptor Representative { get; } = new(pattern, "*", MethodShape.Unary, takesToken: false) { Authorization = authorization };

    /// <summary>Describes why a text is not a pattern; null if it is one.</summary>
    public static string? FindMistake(string pattern)
    {
        const string Expected = "expected the name of a service such as 'shop.Orders', a prefix such as 'shop.*', or '*'";
        int asterisk = pattern.IndexOf('*', StringComparison.Ordinal);
        bool isWhole = pattern.Length is > 0 and <= MaxName && (asterisk < 0 || asterisk == pattern.Length - 1);
        return isWhole && pattern.All(static character => character is > ' ' and < (char)0x7F and not '/')
            ? null : $"'{pattern}' is not a pattern of services: {Expected}, 1 to {MaxName} characters of ASCII without spaces and slashes.";
    }
}

/// <summary>
/// A method that a connection has named when no call of it was admitted yet. Its first call that the peer may make takes a place in the table. Owned by the
/// connection; parked calls run on another thread.
/// </summary>
internal sealed class UncalledMethod(RouteTable table, ForwardingRoute route, string name, MethodShape shape) : InboundMethod
{
    /// <summary>This object, and the head of its name.</summary>
    private const int ObjectBytes = 80;

    private ForwardedMethod? _admitted; // two threads may set it, to the same

    /// <summary>The method that stands for the route: its access rule is that of all methods, and calls that are refused are counted as its own.</summary>
    public override MethodDescriptor Descriptor => route.Representative;

    public override int HeldBytes => ObjectBytes + name.Length * sizeof(char);

    public override bool ShowsOptions => true;

    public override bool RunsInTurn => true;

    public override bool ReadsKeys => true;

    public override MethodShape Streams => shape & MethodShape.Duplex;

    public override ulong OrderScopeOf(in InboundCall call) => ForwardedTurn.ScopeOf(call);

    public override string SideOf(Session session) => ForwardedMethod.Side;

    public override IInboundItems? OpenItems(in InboundCall call) => new ForwardedItems();

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        var method = Admit(call.Session);
        method.Invoke(call with { Method = method }, body);
    }

    /// <summary>Gets the method that runs a call of the peer that is admitted.</summary>
    public InboundMethod Admit(Session caller)
    {
        if (_admitted is { } known) return known;
        var method = table.Admit(route, name, shape, caller);
        _admitted = method as ForwardedMethod;
        return method;
    }
}
