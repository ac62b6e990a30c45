using System.Collections.Frozen;
using System.Security.Claims;
using Mux.Contracts;

namespace Mux.Identity;

/// <summary>The rules of a server's methods, each once however many methods have it. Immutable.</summary>
internal sealed class AccessRules
{
    private readonly FrozenDictionary<MethodDescriptor, int> _ruleOf;
    private readonly AccessRule[] _rules;

    /// <summary>Reads the contracts.</summary>
    /// <exception cref="InvalidOperationException">One asks for what the options do not have; the message names it.</exception>
    public AccessRules(IReadOnlyCollection<MethodDescriptor> methods, MuxIdentityOptions options)
    {
        bool isDefaultDeny = options.Policies.Count > 0 || methods.Any(method => method.Authorization is { RequiresUser: true });
        var unsaid = isDefaultDeny ? AccessRule.Nobody : AccessRule.AnyUser;
        var rules = new List<AccessRule>();
        var indexes = new Dictionary<MethodAuthorization, int>(SameRule.Instance);
        int? unsaidIndex = null;
        var ruleOf = new Dictionary<MethodDescriptor, int>();
        foreach (var method in methods)
        {
            var said = method.Authorization;
            if (said is { AllowsAnonymous: true, RequiresUser: true })
            {
                throw new InvalidOperationException($"{method} has [MuxAuthorize] and [MuxAllowAnonymous] in one place: take one of them away.");
            }

            ruleOf[method] = said is null ? unsaidIndex ??= Add(unsaid) : SharedIndexOf(method, said);
        }

        _ruleOf = ruleOf.ToFrozenDictionary();
        _rules = [.. rules];
        WithoutUser = Evaluate(null, static (_, _) => { });
        Denied = isDefaultDeny ? [.. methods.Where(method => method.Authorization is null).Select(method => method.FullName)] : [];

        int SharedIndexOf(MethodDescriptor method, MethodAuthorization said)
        {
            if (!indexes.TryGetValue(said, out int index)) indexes.Add(said, index = Add(RuleOf(method, said, options)));
            return index;
        }

        int Add(AccessRule rule)
        {
            rules.Add(rule);
            return rules.Count - 1;
        }
    }

    /// <summary>Methods that nobody may call, because nobody has said who may.</summary>
    public IReadOnlyList<string> Denied { get; }

    /// <summary>What <see cref="Evaluate"/> says of nobody in particular.</summary>
    public bool[] WithoutUser { get; }

    /// <summary>What <see cref="Evaluate"/> says of the method stands here.</summary>
    public int IndexOf(MethodDescriptor method) => _ruleOf[method];

    /// <summary>Runs the policies.</summary>
    /// <param name="user">Null for nobody in particular.</param>
    /// <param name="failed">Told of a policy that threw.</param>
    public bool[] Evaluate(ClaimsPrincipal? user, Action<string, Exception> failed) => Array.ConvertAll(_rules, rule => rule.Takes(user, failed));

    /// <summary>What a server without options of identity cannot keep.</summary>
    /// <exception cref="InvalidOperationException">A contract asks who its callers are.</exception>
    public static void ThrowIfAsked(IEnumerable<MethodDescriptor> methods)
    {
        if (methods.FirstOrDefault(method => method.Authorization is { RequiresUser: true }) is { } method)
            throw new InvalidOperationException($"{method} has [MuxAuthorize], and the server does not ask who its clients are: set " +
                $"{nameof(MuxServerOptions.Identity)} in its options.");
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
        var known = options.Policies.Count == 0 ? "there is none" : $"there are {string.Join(", ", options.Policies.Keys.Order(StringComparer.Ordinal))}";
        throw new InvalidOperationException($"{method} asks for the policy '{name}', which the server does not have; {known}. Add it to " +
            $"{nameof(MuxServerOptions.Identity)}.{nameof(options.Policies)}.");
    }

    private static string[] RolesOf(MethodDescriptor method, string list)
    {
        var roles = list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return roles.Length > 0 ? roles : throw new InvalidOperationException($"{method} asks for one of the roles '{list}', which names none.");
    }

    /// <summary>By what they say, part by part: names are the user's and may contain anything.</summary>
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
