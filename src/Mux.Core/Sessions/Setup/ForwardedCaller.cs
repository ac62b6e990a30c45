using System.Security.Claims;
using Mux.Contracts;

namespace Mux.Sessions.Setup;

/// <summary>A caller as a gateway that is believed names it. Safe for concurrent use.</summary>
internal abstract class ForwardedCaller
{
    /// <summary>The user: the name, the roles and the claims that the gateway passes on.</summary>
    public abstract ClaimsPrincipal User { get; }

    /// <summary>Decides whether the caller may call a method, and remembers it. Runs user code: the policies of the server. Never throws.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <returns>Ok or PermissionDenied.</returns>
    public abstract MuxStatus Decide(MethodDescriptor method);
}
