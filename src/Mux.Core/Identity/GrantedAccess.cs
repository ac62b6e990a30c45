using System.Security.Claims;
using Mux.Connections;
using Mux.Contracts;

namespace Mux.Identity;

/// <summary>What one identity may do, found out when it was taken.</summary>
/// <param name="control">Told of what is refused.</param>
/// <param name="rules">Of the server.</param>
/// <param name="takes">By rule.</param>
/// <param name="user">Null for nobody in particular.</param>
/// <param name="expiresAt">Null for never.</param>
/// <param name="remoteAddress">For the log.</param>
internal sealed class GrantedAccess(AdmissionControl control, AccessRules rules, bool[] takes, ClaimsPrincipal? user, DateTimeOffset? expiresAt, string remoteAddress) : PeerAccess
{
    private readonly bool[] _withoutUser = rules.Evaluate(null, static (_, _) => { });

    public override ClaimsPrincipal? User => user;

    public override DateTimeOffset? ExpiresAt => expiresAt;

    public override MuxStatus Judge(MethodDescriptor method, bool isExpired)
    {
        int rule = rules.IndexOf(method);
        if ((isExpired ? _withoutUser : takes)[rule]) return MuxStatus.Ok;
        control.OnDenied(method, user, isExpired, remoteAddress);
        return user is null || isExpired ? MuxStatus.Unauthenticated : MuxStatus.PermissionDenied;
    }
}
