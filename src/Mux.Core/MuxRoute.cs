using Mux.Contracts;
using Mux.Forwarding;

namespace Mux;

/// <summary>
/// Forwards the calls of some services to the servers of a channel, see <see cref="MuxServer.AddRoute"/>. Immutable after it was added.
/// </summary>
public sealed class MuxRoute
{
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

    /// <exception cref="ArgumentException">Anonymous clients are allowed and a policy or roles are set.</exception>
    internal ForwardingRoute Build()
    {
        bool requires = Policy is not null || Roles is not null;
        if (requires && AllowAnonymous)
        {
            var other = Policy is null ? nameof(Roles) : nameof(Policy);
            throw new ArgumentException($"The route '{Pattern}' sets {nameof(AllowAnonymous)} and {other}: set one of them.");
        }

        var authorization = requires || AllowAnonymous
            ? new MethodAuthorization(AllowAnonymous, requires, Policy is null ? [] : [Policy], Roles is null ? [] : [Roles]) : null;
        return new ForwardingRoute(Pattern, Channel.Name, Channel.Route, authorization);
    }
}
