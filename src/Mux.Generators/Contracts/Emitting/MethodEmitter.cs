using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Emitting;
using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the struct that describes one method, and the message of its arguments.</summary>
internal static class MethodEmitter
{
    public static void Emit(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        var surface = MethodSurface.Of(method);
        writer.Open($"internal readonly struct {method.Identifier}Method : {surface.Interface}<{service.InterfaceName}, {surface.Payloads}>");
        EmitDescriptor(writer, service, method);
        PayloadEmitter.Emit(writer, method.Request, "Request", "request");
        if (method.RequestStream is not null || method.ResponseStream is not null) PayloadEmitter.Emit(writer, method.Item, "Item", "item");
        PayloadEmitter.Emit(writer, method.Response, "Response", "response");
        if (method.Response.Form == PayloadForm.Result) EmitResult(writer, method.Response.TypeName);
        DetailEmitter.Emit(writer, method.Errors);
        SerializedPayload.EmitPrepare(writer, method);
        InvokeEmitter.Emit(writer, service, method);
        writer.Close();
        if (method.Arguments is { } arguments) EmitArguments(writer, method, arguments);
    }

    private static void EmitDescriptor(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        var takesToken = method.Find(ParameterRole.Token) is null ? "false" : "true";
        var names = $"\"{service.WireName}\", \"{method.WireName}\"";
        var choices = string.Join(", ", InitializersOf(method));
        var end = choices.Length == 0 ? ";" : string.Empty;
        writer.Line("private static readonly MethodDescriptor s_descriptor = new MethodDescriptor(");
        writer.Indented($"{names}, MethodShape.{method.Shape}, takesToken: {takesToken}){end}");
        if (choices.Length > 0) writer.Indented($"{{ {choices} }};");
        writer.Line();
        writer.Line("public static MethodDescriptor Descriptor => s_descriptor;");
    }

    // Omits properties at their default.
    private static IEnumerable<string> InitializersOf(MethodModel method)
    {
        var choices = method.Choices;
        if (method.Find(ParameterRole.Options) is not null) yield return "TakesOptions = true";
        if (choices.Assignments.Count > 0) yield return $"Choices = new MethodChoices {{ {string.Join(", ", choices.Assignments)} }}";
        if (choices.Format != ChoicesModel.Protobuf) yield return $"Format = \"{choices.Format}\"";
        if (choices.Authorization is { } authorization) yield return $"Authorization = {AuthorizationOf(authorization)}";
        if (method.RequestFingerprint != 0) yield return $"RequestFingerprint = 0x{method.RequestFingerprint:X8}";
        if (method.ResponseFingerprint != 0) yield return $"ResponseFingerprint = 0x{method.ResponseFingerprint:X8}";
    }

    private static string AuthorizationOf(AuthorizationModel model)
    {
        return $"new MethodAuthorization({Flag(model.AllowsAnonymous)}, {Flag(model.RequiresUser)}, {Texts(model.Policies)}, {Texts(model.Roles)})";

        static string Flag(bool value) => value ? "true" : "false";
        static string Texts(EquatableArray<string> texts) => $"new string[] {{ {string.Join(", ", texts.Select(Quote))} }}";
        static string Quote(string text) => SymbolDisplay.FormatLiteral(text, quote: true);
    }

    private static void EmitResult(SourceWriter writer, string type)
    {
        writer.Line();
        writer.Line("public static bool ReturnsResult => true;");
        writer.Line();
        writer.Line($"public static {type} ToResult(global::Mux.MuxFailure failure) => new {type}(failure);");
        writer.Line();
        writer.Line($"public static global::Mux.MuxFailure? FailureOf({type} response) => response.Failure;");
    }

    private static void EmitArguments(SourceWriter writer, MethodModel method, MessageModel arguments)
    {
        writer.Line();
        writer.Open($"internal struct {method.Identifier}Arguments");
        foreach (var parameter in method.Sent) writer.Line($"public {parameter.TypeName} {parameter.Name};");
        writer.Close();
        writer.Line();
        CodecEmitter.Emit(writer, arguments);
    }
}
