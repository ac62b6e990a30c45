using System.Security.Claims;
using Mux.Protocol;
using Mux.Server;

namespace Mux.Identity;

/// <summary>
/// Options of a server that authenticates clients and restricts the methods that they may call. Read when the server is started; later changes have no effect.
/// </summary>
/// <remarks>
/// With these options, every client must authenticate before it can make calls. <see cref="MuxAuthorizeAttribute"/> and
/// <see cref="MuxAllowAnonymousAttribute"/> define which methods the client may call. If no contract has <see cref="MuxAuthorizeAttribute"/> and
/// <see cref="Policies"/> is empty, authenticated clients may call every method. Otherwise methods without an attribute reject every client.
/// </remarks>
public sealed class MuxIdentityOptions
{
    /// <summary>A shorter lifetime leaves too little time to renew: clients wait a second between two credentials.</summary>
    private static readonly TimeSpan s_leastLifetime = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets the keys that this server shares with clients (<see cref="SharedKeyCredentials"/>). To change a key, add the new key, distribute it to the clients,
    /// then remove the old key.
    /// </summary>
    /// <value>Empty by default.</value>
    public IList<SharedKey> SharedKeys { get; } = [];

    /// <summary>Gets or sets the time after which a client must prove its shared key again. Clients do so automatically.</summary>
    /// <value>5 s or more, or <see cref="Timeout.InfiniteTimeSpan"/> for never, which is the default. A client begins to renew when a fifth of the time is
    /// left.</value>
    public TimeSpan SharedKeyLifetime { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>Gets the authenticators of other credentials, one for each scheme. Each client chooses a scheme.</summary>
    /// <value>Empty by default.</value>
    public IList<MuxAuthenticator> Authenticators { get; } = [];

    /// <summary>
    /// Gets or sets a value indicating whether the server accepts the identity that the transport reports. Clients for which the transport reports no identity
    /// must authenticate.
    /// </summary>
    /// <remarks>
    /// The identity is the first URI, else the first DNS name, in the client's certificate (mutual TLS, also that of Kestrel); the user of the client's process
    /// (Unix domain sockets, and named pipes on Linux); or the user of the HTTP request (WebSockets).
    /// </remarks>
    /// <value>False by default.</value>
    public bool TrustTransport { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether clients without a credential may connect. They may only call methods with
    /// <see cref="MuxAllowAnonymousAttribute"/>.
    /// </summary>
    /// <value>False by default.</value>
    public bool AllowAnonymous { get; set; }

    /// <summary>
    /// Gets the names of the users of gateways (<see cref="MuxRoute"/>) that this server believes when they say who has made a call that they forward. Such a
    /// gateway passes on the name, the roles and chosen claims of its caller: <see cref="MuxAuthorizeAttribute"/> is checked against this caller, and it is
    /// the user that handlers see.
    /// </summary>
    /// <remarks>
    /// A gateway of another name can call for itself alone: calls that it forwards have its own user, and are refused with
    /// <see cref="MuxStatus.PermissionDenied"/> if their method requires roles or policies. A name counts whatever has authenticated it, so name a user that no
    /// other one of <see cref="SharedKeys"/>, <see cref="Authenticators"/> and the transport can have.
    /// </remarks>
    /// <value>Empty by default: no gateway is believed. Names are case-sensitive.</value>
    public IList<string> Gateways { get; } = [];

    /// <summary>
    /// Gets the policies by name; <see cref="MuxAuthorizeAttribute.Policy"/> names one of them. A policy is a function that returns true if a user meets the
    /// policy. Mux calls it when a client authenticates, and again when the client presents another credential, but not for each call; for a caller that one of
    /// <see cref="Gateways"/> names, with the first call that needs it on a connection, and with the next one a minute later. Calls are concurrent, and never
    /// hold up a connection. If the function throws, the policy is not met.
    /// </summary>
    /// <value>Empty by default.</value>
    public IDictionary<string, Func<ClaimsPrincipal, bool>> Policies { get; } = new Dictionary<string, Func<ClaimsPrincipal, bool>>(StringComparer.Ordinal);

    /// <summary>
    /// Maximum time to authenticate a client and to evaluate the policies. <see cref="MuxOptions.HandshakeTimeout"/> limits it too, together with the rest of
    /// the handshake.
    /// </summary>
    /// <value>10 ms to 10 minutes; 5 s by default.</value>
    public TimeSpan AuthenticationTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Maximum number of connecting clients that authenticate concurrently; further clients wait. In addition, the same number of clients can renew credentials
    /// concurrently.
    /// </summary>
    /// <value>1 to 65,536; 64 by default.</value>
    public int MaxConcurrentAuthentications { get; set; } = 64;

    /// <summary>
    /// Maximum number of clients from one address (of IPv6: its first 64 bits) that authenticate concurrently. The limit applies separately to connecting
    /// clients and to renewals. A client counts until the authenticator returns, even after <see cref="AuthenticationTimeout"/>. Clients without an address,
    /// such as those at Unix domain sockets, do not count.
    /// </summary>
    /// <value>1 to 65,536; 16 by default. Raise it if many clients connect from one address, such as a proxy.</value>
    public int MaxConcurrentAuthenticationsPerAddress { get; set; } = 16;

    /// <summary>Finds all options that are invalid.</summary>
    /// <returns>One failure for each invalid option, with its name, its value and the allowed values.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (SharedKeys.Count == 0 && Authenticators.Count == 0 && !TrustTransport)
            yield return new OptionFailure(nameof(SharedKeys), // the one of the three that most hosts set
                $"no client could be authenticated: add {nameof(SharedKeys)} or {nameof(Authenticators)}, or set {nameof(TrustTransport)} to true.");
        if (SharedKeys.Contains(null!)) yield return new OptionFailure(nameof(SharedKeys), "One of them is null.");
        foreach (var twice in SharedKeys.Where(key => key is not null).GroupBy(key => key.Id, StringComparer.Ordinal).Where(group => group.Count() > 1))
            yield return new OptionFailure(nameof(SharedKeys), $"{twice.Count()} keys have the id '{twice.Key}': each key needs its own id.");
        if (SharedKeyLifetime != Timeout.InfiniteTimeSpan && SharedKeyLifetime < s_leastLifetime)
            yield return OptionFailure.OutOfRange(nameof(SharedKeyLifetime), SharedKeyLifetime, "00:00:05 or more, or -00:00:00.001 for never");
        if (Authenticators.Contains(null!)) yield return new OptionFailure(nameof(Authenticators), "One of them is null.");
        var schemes = SchemesOf().ToList();
        foreach (var scheme in schemes.Where(scheme => !IsScheme(scheme)))
            yield return new OptionFailure(nameof(Authenticators), $"'{scheme}' is not a scheme: expected 1 to {AuthCredential.MaxScheme} of a-z, 0-9, " +
                "'-' and '.'.");
        foreach (var twice in schemes.GroupBy(scheme => scheme, StringComparer.Ordinal).Where(group => group.Count() > 1))
            yield return new OptionFailure(nameof(Authenticators), $"the scheme '{twice.Key}' has {twice.Count()} authenticators: expected one.");
        if (schemes.Count > AuthChallenge.MaxSchemes)
        {
            yield return OptionFailure.OutOfRange(nameof(Authenticators), $"{schemes.Count} schemes", $"0 to {AuthChallenge.MaxSchemes}");
        }

        if (Gateways.Any(string.IsNullOrWhiteSpace)) yield return new OptionFailure(nameof(Gateways), "One of the names is empty: expected names of users.");
        foreach (var policy in Policies.Where(policy => policy.Key.Length == 0 || policy.Value is null))
            yield return new OptionFailure(nameof(Policies), $"the policy '{policy.Key}' has no name or is null.");
        if (AuthenticationTimeout < TimeSpan.FromMilliseconds(10) || AuthenticationTimeout > TimeSpan.FromMinutes(10))
            yield return OptionFailure.OutOfRange(nameof(AuthenticationTimeout), AuthenticationTimeout, "00:00:00.010 to 00:10:00");
        if (MaxConcurrentAuthentications is < 1 or > 65_536)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxConcurrentAuthentications), MaxConcurrentAuthentications, "1 to 65536");
        }

        if (MaxConcurrentAuthenticationsPerAddress is < 1 or > 65_536)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxConcurrentAuthenticationsPerAddress), MaxConcurrentAuthenticationsPerAddress, "1 to 65536");
        }
    }

    internal static bool IsScheme(string? scheme) => scheme is { Length: >= 1 and <= AuthCredential.MaxScheme } && scheme.All(char.IsAscii)
        && AuthCredential.IsScheme(System.Text.Encoding.ASCII.GetBytes(scheme));

    private IEnumerable<string> SchemesOf()
    {
        var others = Authenticators.Where(authenticator => authenticator is not null).Select(authenticator => authenticator.Scheme);
        return SharedKeys.Count > 0 ? others.Prepend(SharedKeyProof.Scheme) : others;
    }
}
