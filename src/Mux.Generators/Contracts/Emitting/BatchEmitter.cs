using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the interface that an implementation of a contract has instead, to get the calls of its batched methods together.</summary>
internal static class BatchEmitter
{
    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";

    /// <summary>Emits the interface behind the generated class; nothing if no method is batched.</summary>
    public static void Emit(SourceWriter writer, ServiceModel service)
    {
        if (service.Batch is not { } batch) return;
        writer.Close();
        writer.Line();
        writer.Annotated();
        writer.Open($"namespace {batch.Namespace}");
        writer.Line($"/// <summary>Interface of implementations of {service.DisplayName} that take calls in batches.</summary>");
        writer.GeneratedCode();
        if (batch.IsObsolete) writer.Obsolete();
        writer.Open($"{(batch.IsPublic ? "public" : "internal")} interface {batch.Name} : {service.InterfaceName}");
        foreach (var method in service.Methods)
        {
            if (method.Batched > 0) EmitMethod(writer, service, method);
        }

        writer.Close();
    }

    /// <summary>Gets an expression that creates the description of a method's batches.</summary>
    public static string CreationOf(ServiceModel service, MethodModel method)
    {
        var type = $"global::{service.Batch!.Namespace}.{service.Batch.Name}";
        return $"new BatchMethod<{MethodSurface.Of(method).Payloads}>({method.Batched}, static service => service is {type}, "
            + $"static (service, calls) => (({type})service).{method.Name}(calls))";
    }

    private static void EmitMethod(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        var calls = $"global::Mux.MuxCalls<{MethodSurface.Of(method).Payloads}>";
        writer.Line($"/// <summary>Answers the calls of a batch of {method.WireName}.</summary>");
        if (method.IsObsolete) writer.Obsolete();
        writer.Line($"{ValueTask} {method.Name}({calls} calls);");
        writer.Line();

        var name = method.ResultType is null ? "CallWithoutResultAsync" : "CallAsync";
        var options = method.Find(ParameterRole.Options)?.Variable ?? "null";
        var token = method.Find(ParameterRole.Token)?.Variable ?? "default";
        var arguments = $"{method.Sent.First().Variable}, {options}, batch => this.{method.Name}(batch), {token}";
        var call = $"global::Mux.Contracts.PendingCall<{MethodSurface.Of(method).Payloads}>.{name}({arguments})";
        if (method.ReturnForm == ReturnForm.Task) call += ".AsTask()";
        if (method.IsObsolete) writer.Obsolete();
        writer.Line($"{ProxyEmitter.HeadOf(service.InterfaceName, method)} => {call};");
        writer.Line();
    }
}
