using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Server;

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
