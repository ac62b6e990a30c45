using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>C# with which a server calls an implementation.</summary>
internal static class InvokeEmitter
{
    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";

    /// <summary>Gets a lambda that calls the method.</summary>
    public static string LambdaOf(ServiceModel service, MethodModel method)
    {
        var arguments = method.Parameters.Select(parameter => ArgumentFor(method, parameter));

        // Two inherited interfaces may declare the same method, and the contract may hide one of them.
        var target = $"(({method.DeclaringInterface ?? service.InterfaceName})service)";
        var call = Adapt(method, $"{target}.{method.Name}({string.Join(", ", arguments)})");
        var streams = method.HasCallbacks ? "callbacks, " : method.IsStreamed ? "items, " : string.Empty;
        return $"(service, request, {streams}options, cancellationToken) => {call}";
    }

    private static string ArgumentFor(MethodModel method, ParameterModel parameter) => parameter.Role switch
    {
        ParameterRole.Stream => StreamAdapter.ArgumentOf(method.RequestStream!.Value),
        ParameterRole.Callback => CallbackEmitter.ArgumentOf(method, parameter),
        ParameterRole.Options => "options!",
        ParameterRole.Token => "cancellationToken",
        _ => method.Arguments is null ? "request" : $"request.{parameter.Name}",
    };

    /// <summary>Gets a lambda that calls a method of a callback.</summary>
    public static string LambdaOf(CallbackContractModel callback, MethodModel method)
    {
        var arguments = method.Parameters.Select(parameter => ArgumentFor(method, parameter));
        var call = Adapt(method, $"(({method.DeclaringInterface ?? callback.InterfaceName})callback).{method.Name}({string.Join(", ", arguments)})");
        return $"(callback, request, cancellationToken) => {call}";
    }

    private static string Adapt(MethodModel method, string call)
    {
        if (method.ResponseStream is not null) return StreamAdapter.ItemsOfResult(method, call);
        if (method.ResultType is null) return $"global::Mux.MuxUnit.From({call})";
        return method.ReturnForm == ReturnForm.Task ? $"new {ValueTask}<{(method.CallbackResult ?? method.Response).TypeName}>({call})" : call;
    }
}
