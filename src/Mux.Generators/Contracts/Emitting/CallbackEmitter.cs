using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the code for callbacks of one contract: their methods, their proxies, and the shapes of methods that take them.</summary>
internal static class CallbackEmitter
{
    /// <summary>The namespace of the runtime, which most contracts do not need.</summary>
    public const string Runtime = "global::Mux.Callbacks.";

    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";

    /// <summary>Gets the name of the field with the shape of a method.</summary>
    public static string ShapeOf(MethodModel method) => $"{method.Identifier}_Shape";

    /// <summary>Gets the name of that field from the place of the method's payload.</summary>
    public static string ShapeAt(string place) => $"{place.Substring(0, place.Length - "Response".Length)}_Shape";

    /// <summary>Gets the argument of the implementation for a callback.</summary>
    public static string ArgumentOf(MethodModel method, ParameterModel parameter)
    {
        int index = IndexOf(method, parameter);
        return $"new {ProxyOf(method.Callbacks[index])}(callbacks[{index}])";
    }

    /// <summary>Emits the fields that describe the callbacks of a contract, before the methods that refer to them.</summary>
    public static void EmitFields(SourceWriter writer, ServiceModel service, PayloadEmitter payloads)
    {
        foreach (var callback in ContractsOf(service))
        {
            foreach (var method in callback.Methods) EmitMethod(writer, callback, method, payloads);
            writer.Line($"private static readonly {Runtime}CallbackContract {callback.Identifier}_Contract = new {Runtime}CallbackContract(");
            var methods = callback.Methods.Select(MethodSurface.FieldOf);
            writer.Indented($"\"{callback.DisplayName}\", {callback.Concurrent}, {string.Join(", ", methods)});");
            writer.Line();
        }
    }

    /// <summary>Emits the field with the shape of a method, if it takes callbacks, before the method itself.</summary>
    public static void EmitShape(SourceWriter writer, ServiceModel service, MethodModel method, PayloadEmitter payloads)
    {
        if (method.CallbackResult is not { } result) return;
        var type = $"{Runtime}CallbackShape<{method.Request.TypeName}, {result.TypeName}>";
        writer.Line($"private static readonly {type} {ShapeOf(method)} = new {type}(");
        writer.Indented($"\"{service.WireName}/{method.WireName}\",");
        writer.Indented($"{payloads.CreationOf(result, method.Identifier + "Result")},");
        writer.Indented($"static {InvokeEmitter.LambdaOf(service, method)},");
        writer.Indented($"{string.Join(", ", method.Callbacks.Select(static callback => $"{callback.Identifier}_Contract"))});");
        writer.Line();
    }

    /// <summary>Emits the classes that implementations of a contract call.</summary>
    public static void EmitTypes(SourceWriter writer, ServiceModel service)
    {
        foreach (var callback in ContractsOf(service))
        {
            writer.Line();
            writer.Open($"private sealed class {ProxyOf(callback)} : {callback.InterfaceName}");
            writer.Line($"private readonly {Runtime}CallbackCaller _caller;");
            writer.Line();
            writer.Open($"public {ProxyOf(callback)}({Runtime}CallbackCaller caller)");
            writer.Line("_caller = caller;");
            writer.Close();
            foreach (var method in callback.Methods)
            {
                writer.Line($"{ProxyEmitter.HeadOf(callback.InterfaceName, method)} => {CallOf(method)};");
            }

            writer.Close();
            foreach (var method in callback.Methods) MethodEmitter.EmitTypes(writer, method);
        }
    }

    /// <summary>Gets the call of a method with callbacks, at the caller.</summary>
    public static string CallOf(MethodModel method, string caller, string request, string options, string token)
    {
        var objects = method.Parameters.Where(static parameter => parameter.Role == ParameterRole.Callback).Select(static parameter => parameter.Variable);
        var call = $"{ShapeOf(method)}.CallAsync({caller}, {request}, new object?[] {{ {string.Join(", ", objects)} }}, {options}, {token})";
        if (method.ReturnForm == ReturnForm.Task) return $"{call}.AsTask()";
        return method.ResultType is null ? $"new {ValueTask}({call}.AsTask())" : call;
    }

    private static void EmitMethod(SourceWriter writer, CallbackContractModel callback, MethodModel method, PayloadEmitter payloads)
    {
        var type = $"{Runtime}CallbackMethod<{method.Request.TypeName}, {method.Response.TypeName}>";
        writer.Line($"private static readonly {type} {MethodSurface.FieldOf(method)} = new {type}(");
        writer.Indented($"\"{method.WireName}\",");
        writer.Indented($"{payloads.CreationOf(method.Request, method.Identifier + "Request")},");
        writer.Indented($"{payloads.CreationOf(method.Response, method.Identifier + "Response")},");
        var options = new List<string>();
        if (method.OneWay) options.Add("IsOneWay = true");
        if (method.Find(ParameterRole.Token) is not null) options.Add("TakesToken = true");
        writer.Indented($"static {InvokeEmitter.LambdaOf(callback, method)}){(options.Count == 0 ? ";" : string.Empty)}");
        if (options.Count > 0) writer.Indented($"{{ {string.Join(", ", options)} }};");
        writer.Line();
    }

    private static string CallOf(MethodModel method)
    {
        var token = method.Find(ParameterRole.Token)?.Variable ?? "default";
        var name = method.ResultType is null ? "CallWithoutResultAsync" : "CallAsync";
        var call = $"this._caller.{name}({MethodSurface.FieldOf(method)}, {ProxyEmitter.Request(method)}, {token})";
        return method.ReturnForm == ReturnForm.Task ? $"{call}.AsTask()" : call;
    }

    private static string ProxyOf(CallbackContractModel callback) => $"{callback.Identifier}_Callback";

    private static int IndexOf(MethodModel method, ParameterModel parameter) =>
        method.Parameters.Where(static other => other.Role == ParameterRole.Callback).TakeWhile(other => other.Name != parameter.Name).Count();

    private static IEnumerable<CallbackContractModel> ContractsOf(ServiceModel service) =>
        service.Methods.SelectMany(static method => method.Callbacks).GroupBy(static callback => callback.Identifier, StringComparer.Ordinal)
            .Select(static group => group.First());
}
