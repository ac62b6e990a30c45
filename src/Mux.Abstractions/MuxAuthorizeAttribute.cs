namespace Mux;

/// <summary>
/// Who may call a method, or all methods of a service: peers that are authenticated, and of them those that every such attribute of the service and of the
/// method takes. Looked at by servers, before the request is decoded; clients do nothing about it.
/// </summary>
/// <remarks>
/// Where any method of a server has it, methods that say nothing are refused to everybody. A refused call fails, not executed, with
/// <see cref="MuxStatus.Unauthenticated"/> or <see cref="MuxStatus.PermissionDenied"/>. A server that does not know the policy does not start.
/// </remarks>
/// <param name="policy">The name of a policy of the server; null for none.</param>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Method, AllowMultiple = true, Inherited = false)]
public sealed class MuxAuthorizeAttribute(string? policy = null) : Attribute
{
    /// <summary>The name of a policy of the server.</summary>
    /// <value>Null for none.</value>
    public string? Policy { get; } = policy;

    /// <summary>Roles of which the peer has to have one.</summary>
    /// <value>Names with commas between them, such as <c>"clerk, manager"</c>. Null by default: no role is asked for.</value>
    public string? Roles { get; set; }
}
