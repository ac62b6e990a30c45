using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Names of the runtime for methods of one shape.</summary>
/// <param name="Interface">Interface that the method's struct implements.</param>
/// <param name="Caller">Type that calls it.</param>
/// <param name="Bind">Method that creates the caller.</param>
/// <param name="Visit">Method that describes it.</param>
/// <param name="Payloads">Type arguments of its payloads.</param>
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
