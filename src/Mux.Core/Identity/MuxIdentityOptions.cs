using System.Security.Claims;
using Mux.Wire;

namespace Mux.Identity;

/// <summary>Who may connect to a server, and what they may call. Read when the server is started; later changes have no effect.</summary>
/// <remarks>
/// With these options every client has to show who it is before anything else. Which methods it may call is said by <see cref="MuxAuthorizeAttribute"/> and
/// <see cref="MuxAllowAnonymousAttribute"/>. Where neither a contract nor <see cref="Policies"/> say anything, whoever is authenticated may call everything;
/// where they do, a method that says nothing is refused to everybody.
/// </remarks>
public sealed class MuxIdentityOptions
{
    /// <summary>Of less, what is left when the client hears of it would be too short to renew in: clients wait a second between two credentials.</summary>
    private static readonly TimeSpan s_leastLifetime = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Keys that clients have too (<see cref="SharedKeyCredentials"/>). To change one, add the new one beside it, then give it to the clients, then remove the
    /// old one.
    /// </summary>
    /// <value>Empty by default.</value>
    public IList<SharedKey> SharedKeys { get; } = [];

    /// <summary>After what time a client has to show its shared key again, which it does on its own.</summary>
    /// <value>5 s or more (a client begins to renew when a fifth of the time is left), or <see cref="Timeout.InfiniteTimeSpan"/> for never, which is the
    /// default.</value>
    public TimeSpan SharedKeyLifetime { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>What looks at other credentials, one for each scheme. Clients choose.</summary>
    /// <value>Empty by default.</value>
    public IList<MuxAuthenticator> Authenticators { get; } = [];

    /// <summary>
    /// Whether a client is who its transport says, and is not asked then: the first URI, else the first DNS name, in its certificate (mutual TLS, also that of
    /// Kestrel); the user of its process (Unix domain sockets, and named pipes on Linux); the user of the HTTP request (WebSockets). Clients of which the
    /// transport says nothing are asked.
    /// </summary>
    /// <value>False by default.</value>
    public bool TrustTransport { get; set; }

    /// <summary>Whether clients without a credential may connect. They may call nothing but methods with <see cref="MuxAllowAnonymousAttribute"/>.</summary>
    /// <value>False by default.</value>
    public bool AllowAnonymous { get; set; }

    /// <summary>
    /// What <see cref="MuxAuthorizeAttribute.Policy"/> names: whether a peer meets it. Asked once when a peer is authenticated, and again when it shows another
    /// credential; a call asks nobody. Called concurrently, by no thread that receives. One that throws is not met.
    /// </summary>
    /// <value>Empty by default.</value>
    public IDictionary<string, Func<ClaimsPrincipal, bool>> Policies { get; } = new Dictionary<string, Func<ClaimsPrincipal, bool>>(StringComparer.Ordinal);

    /// <summary>
    /// How long it may take to find out who a client is and what it may do. All of it has to end within <see cref="MuxOptions.HandshakeTimeout"/>.
    /// </summary>
    /// <value>10 ms to 10 minutes; 5 s by default.</value>
    public TimeSpan AuthenticationTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// For how many clients that connect it is found out at a time; others wait. Clients that renew a credential have as many places of their own.
    /// </summary>
    /// <value>1 to 65,536; 64 by default.</value>
    public int MaxConcurrentAuthentications { get; set; } = 64;

    /// <summary>
    /// For how many clients of one address (of IPv6: its first 64 bits) at a time, of either kind. A place is held until the authenticator returns, also after
    /// its time. Clients without an address, as at Unix domain sockets, are not counted by it.
    /// </summary>
    /// <value>1 to 65,536; 16 by default. Raise it where many clients come from one address, such as a proxy.</value>
    public int MaxConcurrentAuthenticationsPerAddress { get; set; } = 16;

    /// <summary>Finds everything that is wrong with these options.</summary>
    /// <returns>One failure per wrong option, naming it, its value and what is allowed.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (SharedKeys.Count == 0 && Authenticators.Count == 0 && !TrustTransport)
            yield return new OptionFailure(nameof(Authenticators),
                $"nobody could be authenticated: add {nameof(SharedKeys)} or {nameof(Authenticators)}, or set {nameof(TrustTransport)} to true.");
        if (SharedKeys.Contains(null!)) yield return new OptionFailure(nameof(SharedKeys), "One of them is null.");
        foreach (var twice in SharedKeys.Where(key => key is not null).GroupBy(key => key.Id, StringComparer.Ordinal).Where(group => group.Count() > 1))
            yield return new OptionFailure(nameof(SharedKeys), $"'{twice.Key}' is there {twice.Count()} times: each key needs an id of its own.");
        if (SharedKeyLifetime != Timeout.InfiniteTimeSpan && SharedKeyLifetime < s_leastLifetime)
            yield return OptionFailure.OutOfRange(nameof(SharedKeyLifetime), SharedKeyLifetime, "00:00:05 or more, or -00:00:00.001 for never");
        if (Authenticators.Contains(null!)) yield return new OptionFailure(nameof(Authenticators), "One of them is null.");
        var schemes = SchemesOf().ToList();
        foreach (var scheme in schemes.Where(scheme => !IsScheme(scheme)))
            yield return new OptionFailure(nameof(Authenticators), $"'{scheme}' is no scheme: 1 to {AuthCredential.MaxScheme} of the characters a-z, 0-9, " +
                $"'-' and '.' are.");
        foreach (var twice in schemes.GroupBy(scheme => scheme, StringComparer.Ordinal).Where(group => group.Count() > 1))
            yield return new OptionFailure(nameof(Authenticators), $"the scheme '{twice.Key}' has {twice.Count()} authenticators: it takes one.");
        if (schemes.Count > AuthChallenge.MaxSchemes)
        {
            yield return OptionFailure.OutOfRange(nameof(Authenticators), $"{schemes.Count} schemes", $"0 to {AuthChallenge.MaxSchemes}");
        }

        foreach (var policy in Policies.Where(policy => policy.Key.Length == 0 || policy.Value is null))
            yield return new OptionFailure(nameof(Policies), $"'{policy.Key}' has no name, or is null.");
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
