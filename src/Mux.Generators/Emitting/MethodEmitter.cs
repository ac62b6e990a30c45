using Mux.Generators.Models;

namespace Mux.Generators.Emitting;

/// <summary>Emits the struct that is all there is to know about one method, and the message of its arguments.</summary>
internal static class MethodEmitter
{
    public static void Emit(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        var types = $"{service.InterfaceName}, {method.Request.TypeName}, {method.Response.TypeName}";
        writer.Open($"internal readonly struct {method.Identifier}Method : IUnaryMethod<{types}>");
        var shape = method.OneWay ? "OneWay" : "Unary";
        var takesToken = method.TokenName is null ? "false" : "true";
        var names = $"\"{service.WireName}\", \"{method.WireName}\"";
        writer.Line("private static readonly MethodDescriptor s_descriptor = new MethodDescriptor(");
        writer.Indented($"{names}, MethodShape.{shape}, global::Mux.MuxDispatch.{method.Dispatch}, takesToken: {takesToken});");
        writer.Line();
        writer.Line("public static MethodDescriptor Descriptor => s_descriptor;");
        EmitPayload(writer, method.Request, "Request", "request");
        EmitPayload(writer, method.Response, "Response", "response");
        EmitInvoke(writer, service, method);
        writer.Close();
        if (method.Arguments is { } arguments) EmitArguments(writer, method, arguments);
    }

    private static void EmitPayload(SourceWriter writer, PayloadModel payload, string name, string parameter)
    {
        writer.Line();
        writer.Open($"public static void Encode{name}(ref MessageWriter writer, {payload.TypeName} {parameter})");
        if (payload.RefusesNull) writer.Line($"if ({parameter} is null) EncodeFault.ThrowNullMessage(\"{payload.DisplayName}\");");
        if (payload.Codec is not null) writer.Line($"{payload.Codec}.Write(ref writer, {parameter});");
        writer.Close();

        writer.Line();
        writer.Open($"public static {payload.TypeName} Decode{name}(global::System.ReadOnlySpan<byte> body)");
        if (payload.Codec is null) writer.Line($"return EmptyMessage.Read(body, \"{payload.DisplayName}\");");
        else
        {
            writer.Line($"var reader = new MessageReader(body, {payload.Codec}.Schema);");
            writer.Line($"return {payload.Codec}.Read(ref reader, {payload.Initial});");
        }

        writer.Close();
    }

    private static void EmitInvoke(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        writer.Line();
        writer.Line($"public static global::System.Threading.Tasks.ValueTask<{method.Response.TypeName}> InvokeAsync(");
        writer.Indented($"{service.InterfaceName} service, {method.Request.TypeName} request, global::System.Threading.CancellationToken cancellationToken)");
        writer.Open();
        var arguments = method.Arguments is not null
            ? method.Parameters.Select(static parameter => $"request.{parameter.Name}")
            : method.Parameters.Select(static _ => "request");
        if (method.TokenName is not null) arguments = arguments.Append("cancellationToken");

        var call = $"service.{method.Name}({string.Join(", ", arguments)})";
        if (method.ResultType is null) call = $"Unit.From({call})";
        else if (method.ReturnForm == ReturnForm.Task) call = $"new global::System.Threading.Tasks.ValueTask<{method.Response.TypeName}>({call})";
        writer.Line($"return {call};");
        writer.Close();
    }

    private static void EmitArguments(SourceWriter writer, MethodModel method, MessageModel arguments)
    {
        writer.Line();
        writer.Open($"internal struct {method.Identifier}Arguments");
        foreach (var parameter in method.Parameters) writer.Line($"public {parameter.TypeName} {parameter.Name};");
        writer.Close();
        writer.Line();
        CodecEmitter.Emit(writer, arguments);
    }
}
