using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the proxy class, with which a client calls the methods of a contract.</summary>
internal static class ProxyEmitter
{
    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";
    private const string Task = "global::System.Threading.Tasks.Task";

    public static void Emit(SourceWriter writer, ServiceModel service)
    {
        writer.Open($"internal sealed class Proxy(CallInvoker invoker) : {service.InterfaceName}");
        foreach (var method in service.Methods)
        {
            var surface = MethodSurface.Of(method);
            var bound = $"invoker.{surface.Bind}({MethodSurface.FieldOf(method)})";
            writer.Line($"private readonly {surface.Caller}<{surface.Payloads}> _{method.Identifier} = {bound};");
        }

        writer.Line();
        foreach (var method in service.Methods) EmitMethod(writer, service, method);

        writer.Close();
    }

    /// <summary>Gets the head of an explicit implementation, which cannot clash with other members; "this" keeps parameters from clashing with them.</summary>
    public static string HeadOf(string interfaceName, MethodModel method)
    {
        var parameters = method.Parameters.Select(static parameter => $"{parameter.TypeName} {parameter.Variable}");
        return $"{ReturnType(method)} {method.DeclaringInterface ?? interfaceName}.{method.Name}({string.Join(", ", parameters)})";
    }

    private static void EmitMethod(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        writer.Line($"{HeadOf(service.InterfaceName, method)} => {Call(method)};");
    }

    private static string ReturnType(MethodModel method) => method.ReturnForm switch
    {
        ReturnForm.Bare => method.ResultType!,
        ReturnForm.Task => method.ResultType is null ? Task : $"{Task}<{method.ResultType}>",
        _ => method.ResultType is null ? ValueTask : $"{ValueTask}<{method.ResultType}>",
    };

    private static string Call(MethodModel method)
    {
        var token = method.Find(ParameterRole.Token)?.Variable ?? "default";
        var options = method.Find(ParameterRole.Options)?.Variable;
        var caller = $"this._{method.Identifier}";
        if (method.HasCallbacks) return CallbackEmitter.CallOf(method, caller, Request(method), options ?? "null", token);
        var items = method.RequestStream is { } form ? StreamAdapter.ItemsOf(form, method.Find(ParameterRole.Stream)!.Variable) : "null";
        if (method.ResponseStream is not null)
            return StreamAdapter.ResultOf(method, $"{caller}.Call({Request(method)}, {items}, {options ?? "null"}, {token})", token);

        var call = method.RequestStream is not null
            ? $"{caller}.CallAsync({Request(method)}, {items}, {options ?? "null"}, {token})"
            : UnaryCall(method, caller, options is null ? string.Empty : $"{options}, ", token);
        if (method.ReturnForm == ReturnForm.Task) return $"{call}.AsTask()";

        // A stream without a result is answered with an empty message.
        return method.RequestStream is not null && method.ResultType is null ? $"new {ValueTask}({call}.AsTask())" : call;
    }

    private static string UnaryCall(MethodModel method, string caller, string options, string token)
    {
        var name = method.ResultType is null ? "CallWithoutResultAsync" : "CallAsync";
        return $"{caller}.{name}({Request(method)}, {options}{token})";
    }

    /// <summary>Gets an expression for the arguments that are sent.</summary>
    public static string Request(MethodModel method)
    {
        if (method.Arguments is null) return method.Sent.FirstOrDefault()?.Variable ?? "default";
        var assignments = method.Sent.Select(static parameter => $"{parameter.Name} = {parameter.Variable}");
        return $"new {method.Request.TypeName} {{ {string.Join(", ", assignments)} }}";
    }
}
