using System.Security.Claims;
using System.Text;
using Mux.Protocol;

namespace Mux.Server;

/// <summary>Describes for the log why a user does not meet a rule.</summary>
internal static class RuleDescription
{
    /// <summary>Most roles of a user that are named: a token may have any number of them.</summary>
    private const int MostRoles = 16;

    private const int MaxPartBytes = 256;

    /// <summary>Says what the rule requires and which roles the user has. Does not evaluate policies again, which are user code.</summary>
    public static string Of(AccessRule rule, ClaimsPrincipal user)
    {
        if (rule.Kind == AccessRule.Form.Nobody) return "no peer may call the method, because it declares neither [MuxAuthorize] nor [MuxAllowAnonymous]";
        var required = rule.Roles.Select(any => any.Length == 1 ? $"the role {any[0]}" : $"one of the roles {string.Join(", ", any)}")
            .Concat(rule.Policies.Select(policy => $"the policy {policy.Name}"));
        var roles = rule.Roles.Count == 0 ? string.Empty : $"; {RolesOf(user)}";
        return $"the method requires {Cut(string.Join(" and ", required), 2 * MaxPartBytes)}{roles}";
    }

    private static string RolesOf(ClaimsPrincipal user)
    {
        List<string> roles =
        [
            .. user.Identities.SelectMany(static identity => identity.FindAll(identity.RoleClaimType)).Select(static claim => claim.Value)
                .Distinct(StringComparer.Ordinal).Take(MostRoles + 1),
        ];
        if (roles.Count == 0) return "the caller has no roles";
        var rest = roles.Count > MostRoles ? " and others" : string.Empty;
        return $"the caller has: {string.Join(", ", roles.Take(MostRoles).Select(static role => Cut(role, MaxPartBytes / 4)))}{rest}";
    }

    /// <summary>A token may contain anything, so its text is sanitized and truncated.</summary>
    private static string Cut(string text, int maxBytes)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        return bytes.Length <= maxBytes ? Utf8Text.Read(bytes, maxBytes) : $"{Utf8Text.Read(bytes, maxBytes)}...";
    }
}
