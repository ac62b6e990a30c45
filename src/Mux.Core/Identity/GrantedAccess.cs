using System.Security.Claims;
using Mux.Contracts;
using Mux.Sessions.Setup;

namespace Mux.Identity;

/// <summary>What one identity may do, found out when it was taken.</summary>
/// <param name="control">Told of what is refused.</param>
/// <param name="rules">Of the server.</param>
/// <param name="takes">By rule.</param>
/// <param name="holder">Whose it is.</param>
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
