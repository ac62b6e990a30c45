using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the method with which a server calls an implementation.</summary>
internal static class InvokeEmitter
{
    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";

    public static void Emit(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        bool streams = method.RequestStream is not null || method.ResponseStream is not null;
        var items = streams ? $"global::System.Collections.Generic.IAsyncEnumerable<{method.Item.TypeName}> items, " : string.Empty;
        var signature = method.ResponseStream is null
            ? $"{ValueTask}<{method.Response.TypeName}> InvokeAsync"
            : $"global::System.Collections.Generic.IAsyncEnumerable<{method.Response.TypeName}> Invoke";

        writer.Line();
        writer.Line($"public static {signature}(");
        writer.Indented($"{service.InterfaceName} service, {method.Request.TypeName} request, {items}global::Mux.MuxCallOptions? options, " +
            "global::System.Threading.CancellationToken cancellationToken)");
        writer.Open();
        var arguments = method.Parameters.Select(parameter => ArgumentFor(method, parameter));

        // Two inherited interfaces may declare the same method, and the contract may hide one of them.
        var target = method.DeclaringInterface is { } declaring ? $"(({declaring})service)" : "service";
        writer.Line($"return {Adapt(method, $"{target}.{method.Name}({string.Join(", ", arguments)})")};");
        writer.Close();
    }

    private static string ArgumentFor(MethodModel method, ParameterModel parameter) => parameter.Role switch
    {
        ParameterRole.Stream => StreamAdapter.ArgumentOf(method.RequestStream!.Value),
        ParameterRole.Options => "options!",
        ParameterRole.Token => "cancellationToken",
        _ => method.Arguments is null ? "request" : $"request.{parameter.Name}",
    };

    private static string Adapt(MethodModel method, string call)
    {
        if (method.ResponseStream is not null) return StreamAdapter.ItemsOfResult(method, call);
        if (method.ResultType is null) return $"MuxUnit.From({call})";
        return method.ReturnForm == ReturnForm.Task ? $"new {ValueTask}<{method.Response.TypeName}>({call})" : call;
    }
}
