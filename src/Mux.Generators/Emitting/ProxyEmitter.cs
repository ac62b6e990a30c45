using Mux.Generators.Models;

namespace Mux.Generators.Emitting;

/// <summary>Emits the class by which a client calls the methods of a contract.</summary>
internal static class ProxyEmitter
{
    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";
    private const string Task = "global::System.Threading.Tasks.Task";

    public static void Emit(SourceWriter writer, ServiceModel service)
    {
        writer.Open($"internal sealed class Proxy : {service.InterfaceName}");
        foreach (var method in service.Methods)
            writer.Line($"private readonly MethodCaller<{method.Request.TypeName}, {method.Response.TypeName}> _{method.Identifier};");

        writer.Line();
        writer.Open("public Proxy(CallInvoker invoker)");
        foreach (var method in service.Methods)
        {
            var types = $"{service.InterfaceName}, {method.Request.TypeName}, {method.Response.TypeName}, {method.Identifier}Method";
            writer.Line($"_{method.Identifier} = invoker.Bind<{types}>();");
        }

        writer.Close();

        foreach (var method in service.Methods)
        {
            writer.Line();
            EmitMethod(writer, service, method);
        }

        writer.Close();
    }

    private static void EmitMethod(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        var form = method.ReturnForm == ReturnForm.Task ? Task : ValueTask;
        var result = method.ResultType is { } type ? $"{form}<{type}>" : form;
        var parameters = method.Parameters.Select(static parameter => $"{parameter.TypeName} {parameter.Name}");
        if (method.TokenName is { } token) parameters = parameters.Append($"global::System.Threading.CancellationToken {token}");

        var call = method.ResultType is null ? "CallWithoutResultAsync" : "CallAsync";
        var body = $"this._{method.Identifier}.{call}({Request(method)}, {method.TokenName ?? "default"})";
        if (method.ReturnForm == ReturnForm.Task) body += ".AsTask()";

        // An explicit implementation cannot clash with anything that is generated here, and "this" keeps parameters from doing so.
        writer.Line($"{result} {service.InterfaceName}.{method.Name}({string.Join(", ", parameters)})");
        writer.Open();
        writer.Line($"return {body};");
        writer.Close();
    }

    private static string Request(MethodModel method)
    {
        if (method.Arguments is null) return method.Parameters.Count == 0 ? "default" : method.Parameters[0].Name;
        var assignments = method.Parameters.Select(static parameter => $"{parameter.Name} = {parameter.Name}");
        return $"new {method.Request.TypeName} {{ {string.Join(", ", assignments)} }}";
    }
}
