namespace Mux;

/// <summary>
/// Restricts a method, or all methods of a service, to authenticated peers. A peer must satisfy every such attribute of the service and of the method. The
/// server checks before it decodes the request; clients ignore the attribute.
/// </summary>
/// <remarks>
/// <para>A rejected call fails, not executed, with <see cref="MuxStatus.Unauthenticated"/> or <see cref="MuxStatus.PermissionDenied"/>.</para>
/// <para>Once any method of a server has this attribute, every other method rejects all callers, unless the method or its service has this attribute or
/// <see cref="MuxAllowAnonymousAttribute"/>. A server whose options do not contain the policy does not start.</para>
/// </remarks>
/// <param name="policy">The name of a policy of the server, or null for none.</param>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Method, AllowMultiple = true, Inherited = false)]
public sealed class MuxAuthorizeAttribute(string? policy = null) : Attribute
{
    /// <summary>Gets the name of a policy of the server.</summary>
    /// <value>Null for none.</value>
    public string? Policy { get; } = policy;

    /// <summary>Gets or sets the accepted roles: the peer must have at least one of them.</summary>
    /// <value>Names separated by commas, such as <c>"clerk, manager"</c>. Null by default: no role is required.</value>
    public string? Roles { get; set; }
}
