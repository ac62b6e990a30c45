namespace Mux;

/// <summary>
/// Lets every connected peer call this method. On a service, it applies to all methods that do not have <see cref="MuxAuthorizeAttribute"/>. On a method, it
/// overrides the <see cref="MuxAuthorizeAttribute"/> of the service. A method or service cannot have both attributes. A server with <c>MuxIdentityOptions</c>
/// accepts peers that are not authenticated only if <c>AllowAnonymous</c> is true.
/// </summary>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Method, Inherited = false)]
public sealed class MuxAllowAnonymousAttribute : Attribute;
