namespace Mux;

/// <summary>
/// Everybody who is connected may call this method, or all methods of this service that do not say otherwise by <see cref="MuxAuthorizeAttribute"/>. On a
/// method it takes back what the service asks for; the two do not go together on one method or one service. Peers without a credential are connected only where
/// the server allows it.
/// </summary>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Method, Inherited = false)]
public sealed class MuxAllowAnonymousAttribute : Attribute;
