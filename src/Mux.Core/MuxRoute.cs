using Mux.Contracts;
using Mux.Server;

namespace Mux;

/// <summary>
/// Forwards the calls of some services to the servers of a channel, see <see cref="MuxServer.AddRoute"/>. Immutable after it was added.
/// </summary>
public sealed class MuxRoute
{
    private const int MostCalls = 1_000_000_000;

    /// <summary>Creates a route.</summary>
    /// <param name="pattern">
    /// The wire name of a service, such as <c>shop.Orders</c>; a prefix of names followed by an asterisk, such as <c>shop.*</c>; or <c>*</c> for all services.
    /// </param>
    /// <param name="channel">The channel that carries the calls, with its balancing, retries and timeouts. The server does not dispose it: dispose it after the
    /// server.</param>
    /// <exception cref="ArgumentException">The pattern is none of these; the message says what was expected.</exception>
    public MuxRoute(string pattern, MuxChannel channel)
    {
        ArgumentNullException.ThrowIfNull(pattern);
        ArgumentNullException.ThrowIfNull(channel);
        if (ForwardingRoute.FindMistake(pattern) is { } mistake) throw new ArgumentException(mistake, nameof(pattern));
        (Pattern, Channel) = (pattern, channel);
    }

    /// <summary>Gets the services that are forwarded. The name of a service precedes prefixes, and a longer prefix precedes a shorter one.</summary>
    public string Pattern { get; }

    /// <summary>Gets the channel that carries the calls.</summary>
    public MuxChannel Channel { get; }

    /// <summary>Gets or sets a value indicating whether anonymous clients may call. For a server with <see cref="MuxServerOptions.Identity"/>.</summary>
    /// <value>False by default.</value>
    public bool AllowAnonymous { get; set; }

    /// <summary>
    /// Gets or sets the name of a policy of <see cref="Identity.MuxIdentityOptions.Policies"/> that callers must meet.
    /// </summary>
    /// <value>
    /// Null by default. Then, and without <see cref="Roles"/>, every authenticated client may call, or none if the server has policies: as with a contract that
    /// declares nothing.
    /// </value>
    public string? Policy { get; set; }

    /// <summary>Gets or sets the roles of which a caller needs one, separated by commas.</summary>
    /// <value>Null by default.</value>
    public string? Roles { get; set; }

    /// <summary>
    /// Gets or sets the types of the claims of a caller that services get in addition to its name and roles, separated by commas: those that their policies and
    /// handlers need, such as <c>tenant</c>. A service believes them if its <see cref="Identity.MuxIdentityOptions.Gateways"/> name this gateway.
    /// </summary>
    /// <value>
    /// Null by default: names and roles alone. Roles and claims of a caller take at most 4,096 bytes; a caller with more has neither at the services, which
    /// the log says.
    /// </value>
    public string? Claims { get; set; }

    /// <summary>
    /// Gets or sets the number of calls that the gateway has open at once at each server of the channel, for all clients. A client's connection gets as many as
    /// it leaves for others, and a call beyond that fails with <see cref="MuxStatus.ResourceExhausted"/>, not executed. Set it below what a server lets this
    /// gateway have: otherwise one client that takes all it can get has the server refuse the calls of all clients.
    /// </summary>
    /// <value>
    /// 4,096 by default, which fits a server with default limits and one gateway. 1 to 1,000,000,000. Of several routes to the same channel, the lowest counts
    /// for all of them together.
    /// </value>
    public int MaxCalls { get; set; } = ForwardingRoute.DefaultCalls;

    /// <summary>
    /// Gets or sets how many of <see cref="MaxCalls"/> may have a request stream, for each of which a server reserves
    /// <see cref="MuxOptions.StreamWindowBytes"/> of the <see cref="MuxOptions.MaxStreamBytes"/> of the connection.
    /// </summary>
    /// <value>4,096 by default; 1 to 1,000,000,000. Shared like <see cref="MaxCalls"/>.</value>
    public int MaxRequestStreams { get; set; } = ForwardingRoute.DefaultRequestStreams;

    /// <exception cref="ArgumentException">Anonymous clients are allowed and a policy or roles are set, or a limit is out of range.</exception>
    internal ForwardingRoute Build()
    {
        CheckRange(MaxCalls, nameof(MaxCalls));
        CheckRange(MaxRequestStreams, nameof(MaxRequestStreams));
        bool requires = Policy is not null || Roles is not null;
        if (requires && AllowAnonymous)
        {
            var other = Policy is null ? nameof(Roles) : nameof(Policy);
            throw new ArgumentException($"The route '{Pattern}' sets {nameof(AllowAnonymous)} and {other}: set one of them.");
        }

        var authorization = requires || AllowAnonymous
            ? new MethodAuthorization(AllowAnonymous, requires, Policy is null ? [] : [Policy], Roles is null ? [] : [Roles]) : null;
        return new ForwardingRoute(Pattern, Channel.Name, Channel.Route, authorization, MaxCalls, MaxRequestStreams,
            Claims?.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries), Channel);
    }

    private void CheckRange(int value, string option)
    {
        if (value is < 1 or > MostCalls) throw new ArgumentException($"The route '{Pattern}' has {option} {value}; allowed are 1 to {MostCalls}.");
    }
}
