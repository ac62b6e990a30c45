namespace Mux;

/// <summary>
/// Lets every connected peer call this method, or all methods of this service without a <see cref="MuxAuthorizeAttribute"/> of their own. On a method, it
/// overrides the service's <see cref="MuxAuthorizeAttribute"/>. A method or service cannot have both attributes. A server accepts connections without a
/// credential only if its options allow them.
/// </summary>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Method, Inherited = false)]
public sealed class MuxAllowAnonymousAttribute : Attribute;
