using System.Collections.Frozen;
using System.Security.Claims;
using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;

namespace Mux.Server;

/// <summary>The access rules of a server's methods; methods with equal rules share one. Immutable.</summary>
internal sealed class AccessRules
{
    private readonly FrozenDictionary<MethodDescriptor, int> _ruleOf;
    private readonly Dictionary<MethodAuthorization, int> _indexes = new(SameRule.Instance); // of what methods declare
    private readonly int _unsaidIndex; // of methods that declare nothing
    private readonly AccessRule[] _rules;

    /// <summary>Reads the rules from the contracts.</summary>
    /// <exception cref="InvalidOperationException">A contract requires something that the options do not have; the message names the method.</exception>
    public AccessRules(IReadOnlyCollection<MethodDescriptor> methods, MuxIdentityOptions options)
    {
        bool isDefaultDeny = options.Policies.Count > 0 || methods.Any(method => method.Authorization is { RequiresUser: true });
        var unsaid = isDefaultDeny ? AccessRule.Nobody : AccessRule.AnyUser;
        var rules = new List<AccessRule>();
        int? unsaidIndex = null;
        var ruleOf = new Dictionary<MethodDescriptor, int>();
        foreach (var method in methods)
        {
            var said = method.Authorization;
            if (said is { AllowsAnonymous: true, RequiresUser: true })
            {
                throw new InvalidOperationException($"{method} has both [MuxAuthorize] and [MuxAllowAnonymous]: remove one of them.");
            }

            ruleOf[method] = said is null ? unsaidIndex ??= Add(unsaid) : SharedIndexOf(method, said);
        }

        _ruleOf = ruleOf.ToFrozenDictionary();
        _unsaidIndex = unsaidIndex ?? -1;
        _rules = [.. rules];
        WithoutUser = Evaluate(null, static (_, _) => { });
        Denied = isDefaultDeny ? [.. methods.Where(method => method.Authorization is null).Select(method => method.FullName)] : [];

        int SharedIndexOf(MethodDescriptor method, MethodAuthorization said)
        {
            if (!_indexes.TryGetValue(said, out int index)) _indexes.Add(said, index = Add(RuleOf(method, said, options)));
            return index;
        }

        int Add(AccessRule rule)
        {
            rules.Add(rule);
            return rules.Count - 1;
        }
    }

    /// <summary>Methods that no peer may call, because they declare no rule.</summary>
    public IReadOnlyList<string> Denied { get; }

    /// <summary>Result of <see cref="Evaluate"/> for an anonymous peer.</summary>
    public bool[] WithoutUser { get; }

    /// <summary>
    /// Index of the method's rule in the result of <see cref="Evaluate"/>. A method that was found later, by a route of a gateway, has the rule of the one that
    /// stands for its route: it declares the same.
    /// </summary>
    public int IndexOf(MethodDescriptor method) =>
        _ruleOf.TryGetValue(method, out int index) ? index : method.Authorization is { } said ? _indexes[said] : _unsaidIndex;

    /// <summary>Evaluates all rules and their policies.</summary>
    /// <param name="user">The user; null if the peer is anonymous.</param>
    /// <param name="failed">Called for a policy that throws.</param>
    public bool[] Evaluate(ClaimsPrincipal? user, Action<string, Exception> failed) => Array.ConvertAll(_rules, rule => rule.Takes(user, failed));

    /// <summary>Number of rules.</summary>
    public int Count => _rules.Length;

    /// <summary>Gets a rule by its index.</summary>
    public AccessRule this[int index] => _rules[index];

    /// <summary>Says what the method requires and what its caller has. For the log: a caller must not learn how to pass.</summary>
    public string DescribeDenial(MethodDescriptor method, ClaimsPrincipal user) => RuleDescription.Of(_rules[IndexOf(method)], user);

    /// <summary>Rejects contracts that require authorization on a server without identity options.</summary>
    /// <exception cref="InvalidOperationException">A method requires an authenticated user.</exception>
    public static void ThrowIfAsked(IEnumerable<MethodDescriptor> methods)
    {
        if (methods.FirstOrDefault(method => method.Authorization is { RequiresUser: true }) is { } method)
        {
            throw new InvalidOperationException($"{method} has [MuxAuthorize], but the server does not authenticate its clients: set " +
                $"{nameof(MuxServerOptions.Identity)} in its options.");
        }
    }

    private static AccessRule RuleOf(MethodDescriptor method, MethodAuthorization said, MuxIdentityOptions options)
    {
        if (said.AllowsAnonymous) return AccessRule.Everybody;
        return new AccessRule(AccessRule.Form.Users, [.. said.Policies.Select(name => (name, PolicyOf(method, name, options)))],
            [.. said.Roles.Select(list => RolesOf(method, list))]);
    }

    private static Func<ClaimsPrincipal, bool> PolicyOf(MethodDescriptor method, string name, MuxIdentityOptions options)
    {
        if (options.Policies.TryGetValue(name, out var policy)) return policy;
        var known = options.Policies.Count == 0 ? "it has none" : $"it has {string.Join(", ", options.Policies.Keys.Order(StringComparer.Ordinal))}";
        throw new InvalidOperationException($"{method} requires the policy '{name}', which the server does not have; {known}. Add it to " +
            $"{nameof(MuxServerOptions.Identity)}.{nameof(options.Policies)}.");
    }

    private static string[] RolesOf(MethodDescriptor method, string list)
    {
        var roles = list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return roles.Length > 0 ? roles : throw new InvalidOperationException($"{method} requires one of the roles '{list}', but this list contains no role.");
    }

    /// <summary>Compares rules part by part: names come from the user and may contain any character.</summary>
    private sealed class SameRule : IEqualityComparer<MethodAuthorization>
    {
        public static SameRule Instance { get; } = new();

        public bool Equals(MethodAuthorization? x, MethodAuthorization? y) =>
            ReferenceEquals(x, y) || (x is not null && y is not null && x.AllowsAnonymous == y.AllowsAnonymous && x.RequiresUser == y.RequiresUser
                && x.Policies.SequenceEqual(y.Policies, StringComparer.Ordinal) && x.Roles.SequenceEqual(y.Roles, StringComparer.Ordinal));

        public int GetHashCode(MethodAuthorization rule)
        {
            var hash = default(HashCode);
            hash.Add(rule.AllowsAnonymous);
            foreach (var name in rule.Policies) hash.Add(name, StringComparer.Ordinal);
            hash.Add(rule.Policies.Count);
            foreach (var list in rule.Roles) hash.Add(list, StringComparer.Ordinal);
            return hash.ToHashCode();
        }
    }
}

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
