using System.Security.Claims;

namespace Mux.Identity;

/// <summary>Who may call some methods. Immutable; looked at once for each identity of a connection.</summary>
/// <param name="Kind">How it decides.</param>
/// <param name="Policies">All of which have to be met.</param>
/// <param name="Roles">Of each of which one is needed.</param>
internal sealed record AccessRule(AccessRule.Form Kind, IReadOnlyList<(string Name, Func<ClaimsPrincipal, bool> IsMet)> Policies, IReadOnlyList<string[]> Roles)
{
    public enum Form
    {
        /// <summary>No peer at all: nobody has said who may.</summary>
        Nobody,

        /// <summary>Peers that are authenticated and meet what is asked for.</summary>
        Users,

        Everybody,
    }

    public static AccessRule Nobody { get; } = new(Form.Nobody, [], []);

    public static AccessRule AnyUser { get; } = new(Form.Users, [], []);

    public static AccessRule Everybody { get; } = new(Form.Everybody, [], []);

    /// <param name="user">Null for nobody in particular.</param>
    /// <param name="failed">Told of a policy that threw.</param>
    public bool Takes(ClaimsPrincipal? user, Action<string, Exception> failed) => Kind switch
    {
        Form.Everybody => true,
        Form.Nobody => false,
        _ => user is not null && Roles.All(any => any.Any(user.IsInRole)) && Policies.All(policy => IsMet(policy, user, failed)),
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
