using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Names of the runtime for methods of one shape.</summary>
/// <param name="Method">Type that describes the method, without its type arguments.</param>
/// <param name="Caller">Type that calls it.</param>
/// <param name="Bind">Method that creates the caller.</param>
/// <param name="Visit">Method that describes it.</param>
/// <param name="Payloads">Type arguments of its payloads.</param>
internal sealed record MethodSurface(string Method, string Caller, string Bind, string Visit, string Payloads)
{
    public static MethodSurface Of(MethodModel method)
    {
        var (request, response) = (method.Request.TypeName, method.Response.TypeName);
        return !method.IsStreamed ? new("UnaryMethod", "MethodCaller", "Bind", "Unary", $"{request}, {response}")
            : new("StreamMethod", "StreamCaller", "BindStream", "Stream", $"{request}, {method.Item.TypeName}, {response}");
    }

    /// <summary>Gets the name of the field with the method.</summary>
    public static string FieldOf(MethodModel method) => $"{method.Identifier}_Method";
}
