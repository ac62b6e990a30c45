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
