using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>The names by which the runtime knows methods of one shape.</summary>
/// <param name="Interface">What the method's struct implements.</param>
/// <param name="Caller">What calls it.</param>
/// <param name="Bind">What makes the caller.</param>
/// <param name="Visit">What describes the method.</param>
/// <param name="Payloads">Its type arguments that travel.</param>
internal sealed record MethodSurface(string Interface, string Caller, string Bind, string Visit, string Payloads)
{
    public static MethodSurface Of(MethodModel method)
    {
        var unary = $"{method.Request.TypeName}, {method.Response.TypeName}";
        var streaming = $"{method.Request.TypeName}, {method.Item.TypeName}, {method.Response.TypeName}";
        if (method.ResponseStream is not null) return new("IResponseStreamMethod", "ResponseStreamCaller", "BindResponseStream", "ResponseStream", streaming);
        if (method.RequestStream is not null) return new("IRequestStreamMethod", "RequestStreamCaller", "BindRequestStream", "RequestStream", streaming);
        return new("IUnaryMethod", "MethodCaller", "Bind", "Unary", unary);
    }
}
