using System.Security.Claims;
using Mux.Contracts;
using Mux.Engine;
using Mux.Identity;

namespace Mux.Server;

/// <summary>Access rights of one identity, evaluated when it was accepted. A gateway's also decide about the callers that it names.</summary>
/// <param name="control">Logs rejected calls.</param>
/// <param name="rules">Rules of the server.</param>
/// <param name="takes">Result per rule.</param>
/// <param name="holder">Holder of the rights.</param>
/// <param name="isGateway">True if the server believes the holder when it names the callers of requests that it forwards.</param>
internal sealed class GrantedAccess(AdmissionControl control, AccessRules rules, bool[] takes, AccessHolder holder, bool isGateway) : PeerAccess
{
    private readonly GatewayCallers? _callers = isGateway ? new GatewayCallers(control, rules, holder) : null; // of the turn

    public override ClaimsPrincipal? User => holder.User;

    public override DateTimeOffset? ExpiresAt => holder.ExpiresAt;

    public override bool IsGateway => isGateway;

    public override bool Allows(MethodDescriptor method, bool isExpired) => (isExpired ? rules.WithoutUser : takes)[rules.IndexOf(method)];

    public override bool AllowsForwarded(MethodDescriptor method, ClaimsPrincipal? caller, bool isExpired)
    {
        if (isExpired) return Allows(method, isExpired);
        var rule = rules[rules.IndexOf(method)];
        if (!isGateway) return !rule.LooksAtRoles && Allows(method, isExpired);
        if (caller is null) return rules.WithoutUser[rules.IndexOf(method)];
        return GatewayCaller.Of(caller, rules) is { } known ? known.Allows(method) : rule.Takes(caller, control.OnPolicyFailed);
    }

    public override MuxStatus Judge(MethodDescriptor method, bool isExpired)
    {
        if (Allows(method, isExpired)) return MuxStatus.Ok;
        var reason = isExpired ? "the caller's credential has expired" : User is null ? "the caller is not authenticated" : null;
        control.OnDenied(method, holder.Name, holder.Place, User, reason);
        return reason is null ? MuxStatus.PermissionDenied : MuxStatus.Unauthenticated;
    }

    public override ForwardedCaller? FindCaller(ReadOnlySpan<byte> metadata) => _callers?.Find(metadata);

    public override MuxStatus? JudgeForwarded(MethodDescriptor method, ForwardedCaller? caller, bool isExpired)
    {
        if (isExpired || User is null) return Judge(method, isExpired);
        if (!isGateway)
        {
            // The user of an unknown gateway says that a user was authenticated, but its roles are not those of its callers.
            if (!rules[rules.IndexOf(method)].LooksAtRoles) return Judge(method, isExpired);
            control.OnDenied(method, holder.Name, holder.Place, null,
                $"the call came through this gateway, which {nameof(MuxServerOptions.Identity)}.{nameof(MuxIdentityOptions.Gateways)} does not name, and the " +
                "method requires roles or policies of the caller");
            return MuxStatus.PermissionDenied;
        }

        if (caller is not null) return ((GatewayCaller)caller).Judge(method);
        control.OnDenied(method, holder.Name, holder.Place, null, "the gateway named no caller: the caller is anonymous there, or its user has no name");
        return MuxStatus.Unauthenticated;
    }
}
