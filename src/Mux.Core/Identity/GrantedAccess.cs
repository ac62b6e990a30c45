using System.Security.Claims;
using Mux.Contracts;
using Mux.Sessions.Setup;

namespace Mux.Identity;

/// <summary>Access rights of one identity, evaluated when it was accepted.</summary>
/// <param name="control">Logs rejected calls.</param>
/// <param name="rules">Rules of the server.</param>
/// <param name="takes">Result per rule.</param>
/// <param name="holder">Holder of the rights.</param>
internal sealed class GrantedAccess(AdmissionControl control, AccessRules rules, bool[] takes, AccessHolder holder) : PeerAccess
{
    public override ClaimsPrincipal? User => holder.User;

    public override DateTimeOffset? ExpiresAt => holder.ExpiresAt;

    public override MuxStatus Judge(MethodDescriptor method, bool isExpired)
    {
        int rule = rules.IndexOf(method);
        if ((isExpired ? rules.WithoutUser : takes)[rule]) return MuxStatus.Ok;
        control.OnDenied(method, holder, isExpired);
        return User is null || isExpired ? MuxStatus.Unauthenticated : MuxStatus.PermissionDenied;
    }
}
