using System.Security.Claims;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.TestSupport.Connections;

/// <summary>Allows what the test says, and remembers what it was asked.</summary>
internal sealed class ProbeAccess(DateTimeOffset? expiresAt = null) : PeerAccess
{
    private readonly ClaimsPrincipal _user = new(new ClaimsIdentity("probe"));

    /// <summary>Whether the peer has said what it is called.</summary>
    public bool IsNamed { get; init; } = true;

    public override ClaimsPrincipal? User => IsNamed ? _user : null;

    public override DateTimeOffset? ExpiresAt => expiresAt;

    /// <summary>The answer before it expires.</summary>
    public Func<MethodDescriptor, MuxStatus> Allow { get; set; } = static _ => MuxStatus.Ok;

    public List<string> Asked { get; } = [];

    public override bool Allows(MethodDescriptor method, bool isExpired) => !isExpired && Allow(method) == MuxStatus.Ok;

    public override MuxStatus Judge(MethodDescriptor method, bool isExpired)
    {
        Asked.Add(method.FullName);
        return isExpired ? MuxStatus.Unauthenticated : Allow(method);
    }
}
