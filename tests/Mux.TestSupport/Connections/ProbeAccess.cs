using System.Security.Claims;
using Mux.Connections;
using Mux.Contracts;

namespace Mux.TestSupport.Connections;

/// <summary>Allows what the test says, and remembers what it was asked.</summary>
internal sealed class ProbeAccess(DateTimeOffset? expiresAt = null) : PeerAccess
{
    public override ClaimsPrincipal? User { get; } = new(new ClaimsIdentity("probe"));

    public override DateTimeOffset? ExpiresAt => expiresAt;

    /// <summary>The answer before it expires.</summary>
    public Func<MethodDescriptor, MuxStatus> Allow { get; set; } = static _ => MuxStatus.Ok;

    public List<string> Asked { get; } = [];

    public override MuxStatus Judge(MethodDescriptor method, bool isExpired)
    {
        Asked.Add(method.FullName);
        return isExpired ? MuxStatus.Unauthenticated : Allow(method);
    }
}
