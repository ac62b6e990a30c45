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
        return method.RequestStream is null && method.ResponseStream is null ? new("IUnaryMethod", "MethodCaller", "Bind", "Unary", unary)
            : new("IStreamMethod", "StreamCaller", "BindStream", "Stream", streaming);
    }
}
