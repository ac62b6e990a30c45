using System.Security.Claims;
using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Server;

/// <summary>
/// A caller that a gateway has named. Verdicts are computed when they are first needed, and remembered: two threads may compute the same one. Those of policies
/// age, because the gateway does not tell when its caller authenticates anew. Safe for concurrent use.
/// </summary>
internal sealed class GatewayCaller : ForwardedCaller
{
    /// <summary>Authentication type of the users that gateways name.</summary>
    public const string AuthenticationType = "mux-gateway";

    /// <summary>How long a verdict of policies counts, in microseconds.</summary>
    private const long PolicyLifetime = 60_000_000;

    private readonly AdmissionControl _control;
    private readonly AccessRules _rules;
    private readonly AccessHolder _gateway;
    private readonly long[] _verdicts; // per rule: 0 is none, else the time until which it counts, negative for a refusal

    public GatewayCaller(AdmissionControl control, AccessRules rules, AccessHolder gateway, CallerMarks marks)
    {
        (_control, _rules, _gateway, _verdicts) = (control, rules, gateway, new long[rules.Count]);
        var identity = new ClaimsIdentity(AuthenticationType, ClaimTypes.Name, ClaimTypes.Role);
        identity.AddClaim(new Claim(ClaimTypes.Name, Encoding.UTF8.GetString(marks.Name)));
        foreach (var (type, value) in CallerMarks.Read(marks.Claims)) identity.AddClaim(new Claim(type.Length == 0 ? ClaimTypes.Role : type, value));
        User = new NamedUser(identity, this);
        KnowsRoles = marks.HasClaims;
    }

    public override ClaimsPrincipal User { get; }

    public override bool KnowsRoles { get; }

    /// <summary>Gets the caller that is the user of a call; null for a user of another origin.</summary>
    /// <param name="user">The user that the handler of the call sees.</param>
    /// <param name="rules">The rules of the server.</param>
    public static GatewayCaller? Of(ClaimsPrincipal user, AccessRules rules) =>
        user is NamedUser { Caller: var caller } && caller._rules == rules ? caller : null;

    /// <summary>Decides as far as no policy has to.</summary>
    /// <returns>Null if policies decide.</returns>
    public MuxStatus? Judge(MethodDescriptor method) => Known(_rules.IndexOf(method)) is { } takes ? Tell(method, takes) : null;

    public override MuxStatus Decide(MethodDescriptor method) => Tell(method, Ask(_rules.IndexOf(method)));

    /// <summary>Decides without a word in the log. May run policies.</summary>
    public bool Allows(MethodDescriptor method)
    {
        int index = _rules.IndexOf(method);
        return Known(index) ?? Ask(index);
    }

    private bool? Known(int index)
    {
        long verdict = Volatile.Read(ref _verdicts[index]);
        if (verdict == 0)
        {
            if (_rules[index].TakesAsFarAsKnown(User, KnowsRoles) is not { } takes) return null;
            verdict = Remember(index, takes, Clock.Never);
        }

        long until = Math.Abs(verdict);
        return until == Clock.Never || until > _control.Now ? verdict > 0 : null;
    }

    private bool Ask(int index)
    {
        long until = Clock.After(_control.Now, PolicyLifetime);
        return Remember(index, _rules[index].Takes(User, _control.OnPolicyFailed), until) > 0;
    }

    private long Remember(int index, bool takes, long until)
    {
        long verdict = takes ? until : -until;
        Volatile.Write(ref _verdicts[index], verdict);
        return verdict;
    }

    private MuxStatus Tell(MethodDescriptor method, bool takes)
    {
        if (takes) return MuxStatus.Ok;
        var name = $"{AdmissionControl.NameOf(User)}, as the gateway {_gateway.Name} says,";
        _control.OnDenied(method, name, _gateway.Place, User, KnowsRoles ? null : "the gateway does not know the roles of this caller");
        return MuxStatus.PermissionDenied;
    }

    /// <summary>The user, which handlers hand back when they ask what it may call.</summary>
    private sealed class NamedUser(ClaimsIdentity identity, GatewayCaller caller) : ClaimsPrincipal(identity)
    {
        public GatewayCaller Caller => caller;
    }
}
