namespace Mux;

/// <summary>
/// Restricts a method, or all methods of a service, to authenticated peers. A peer must meet all of these attributes: those of the service and those of the
/// method. The server checks them before it decodes the request. Clients ignore them.
/// </summary>
/// <remarks>
/// <para>A rejected call fails, not executed, with <see cref="MuxStatus.Unauthenticated"/> or <see cref="MuxStatus.PermissionDenied"/>.</para>
/// <para>If any method of a server has this attribute, or the server has a policy, a method without an attribute rejects all callers. It needs this attribute
/// or <see cref="MuxAllowAnonymousAttribute"/>, on the method or on its service. The server does not start if its <c>MuxIdentityOptions.Policies</c> lack a
/// policy that an attribute names.</para>
/// </remarks>
/// <param name="policy">The name of a policy in <c>MuxIdentityOptions.Policies</c> of the server. Null: no policy is required.</param>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Method, AllowMultiple = true, Inherited = false)]
public sealed class MuxAuthorizeAttribute(string? policy = null) : Attribute
{
    /// <summary>Gets the name of the policy that the peer must meet.</summary>
    /// <value>Null: no policy is required.</value>
    public string? Policy { get; } = policy;

    /// <summary>Gets or sets the accepted roles: the peer must have at least one of them.</summary>
    /// <value>Names separated by commas, such as <c>"clerk, manager"</c>. Null by default: no role is required.</value>
    public string? Roles { get; set; }
}
