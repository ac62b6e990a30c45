using System.Collections.Frozen;
using System.Security.Claims;
using Mux.Contracts;
using Mux.Identity;

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
