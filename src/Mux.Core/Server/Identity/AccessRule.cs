using System.Security.Claims;
using Mux.Engine;

namespace Mux.Server;

/// <summary>Rule for calling some methods. Immutable; evaluated once for each identity of a connection.</summary>
/// <param name="Kind">Form of the rule.</param>
/// <param name="Policies">Policies that must all be met.</param>
/// <param name="Roles">Lists of roles; the user needs one of each list.</param>
internal sealed record AccessRule(AccessRule.Form Kind, IReadOnlyList<(string Name, Func<ClaimsPrincipal, bool> IsMet)> Policies, IReadOnlyList<string[]> Roles)
{
    public enum Form
    {
        /// <summary>No peer at all: the method declares no rule.</summary>
        Nobody,

        /// <summary>Authenticated peers that meet the policies and roles.</summary>
        Users,

        Everybody,
    }

    public static AccessRule Nobody { get; } = new(Form.Nobody, [], []);

    public static AccessRule AnyUser { get; } = new(Form.Users, [], []);

    public static AccessRule Everybody { get; } = new(Form.Everybody, [], []);

    /// <summary>True if the rule asks for more than an authenticated user.</summary>
    public bool LooksAtRoles => Roles.Count > 0 || Policies.Count > 0;

    /// <param name="user">The user; null if the peer is anonymous.</param>
    /// <param name="failed">Called for a policy that throws.</param>
    public bool Takes(ClaimsPrincipal? user, Action<string, Exception> failed) => Kind switch
    {
        Form.Everybody => true,
        Form.Nobody => false,
        _ => user is not null && Roles.All(any => any.Any(user.IsInRole)) && Policies.All(policy => IsMet(policy, user, failed)),
    };

    /// <summary>Decides as far as no policy has to, which is user code: for a caller that a gateway names.</summary>
    /// <param name="user">The caller.</param>
    /// <param name="knowsRoles">See <see cref="ForwardedCaller.KnowsRoles"/>.</param>
    /// <returns>Null if policies decide.</returns>
    public bool? TakesAsFarAsKnown(ClaimsPrincipal user, bool knowsRoles) => Kind switch
    {
        Form.Everybody => true,
        Form.Nobody => false,
        _ when !knowsRoles => !LooksAtRoles,
        _ => Roles.All(any => any.Any(user.IsInRole)) ? Policies.Count == 0 ? true : null : false,
    };

    private static bool IsMet((string Name, Func<ClaimsPrincipal, bool> IsMet) policy, ClaimsPrincipal user, Action<string, Exception> failed)
    {
        try
        {
            return policy.IsMet(user);
        }
        catch (Exception error)
        {
            failed(policy.Name, error);
            return false;
        }
    }
}
