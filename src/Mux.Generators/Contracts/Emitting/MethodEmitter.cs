using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Emitting;
using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the object that describes one method, and the message of its arguments.</summary>
internal static class MethodEmitter
{
    /// <summary>Emits the field with the object.</summary>
    public static void EmitField(SourceWriter writer, ServiceModel service, MethodModel method, PayloadEmitter payloads)
    {
        var surface = MethodSurface.Of(method);
        var type = $"{surface.Method}<{surface.Payloads}>";
        bool streams = method.IsStreamed;
        var lambda = InvokeEmitter.LambdaOf(service, method);
        writer.Line($"private static readonly {type} {MethodSurface.FieldOf(method)} = new(");
        EmitDescriptor(writer, service, method);
        writer.Indented($"{payloads.CreationOf(method.Request, method.Identifier + "Request")},");
        if (streams) writer.Indented($"{payloads.CreationOf(method.Item, method.Identifier + "Item")},");
        var initializers = new List<string>();
        if (method.HasCallbacks) initializers.Add($"Invoke = {CallbackEmitter.ShapeOf(method)}.Serve");
        else if (streams) initializers.Add($"{(method.ResponseStream is null ? "InvokeAsync" : "Invoke")} = {lambda}");
        if (method.Errors.Count > 0) initializers.Add($"Details = new {DetailEmitter.NameOf(method)}()");
        if (method.Key is { } key) initializers.Add($"KeyOf = {KeyEmitter.LambdaOf(method, key)}, KeyName = \"{key.Name}\"");
        if (ArgumentEmitter.LambdaOf(method) is { } arguments) initializers.Add($"Describe = {arguments}");
        if (method.Batched > 0) initializers.Add($"Batch = {BatchEmitter.CreationOf(service, method)}");
        var end = initializers.Count == 0 ? ");" : ")";
        writer.Indented($"{payloads.CreationOf(method.Response, method.Identifier + "Response")}{(streams ? end : ",")}");
        if (!streams) writer.Indented(lambda + end);
        if (initializers.Count > 0) writer.Indented($"{{ {string.Join(", ", initializers)} }};");
    }

    /// <summary>Emits the types that only this method has.</summary>
    public static void EmitTypes(SourceWriter writer, MethodModel method)
    {
        DetailEmitter.Emit(writer, method);
        if (method.Arguments is { } arguments) EmitArguments(writer, method, arguments);
    }

    private static void EmitDescriptor(SourceWriter writer, ServiceModel service, MethodModel method)
    {
        var takesToken = method.Find(ParameterRole.Token) is null && method.Batched == 0 ? "false" : "true"; // a batch has no calls that were cancelled
        var names = $"\"{service.WireName}\", \"{method.WireName}\"";
        var choices = string.Join(", ", InitializersOf(method));
        var descriptor = $"new MethodDescriptor({names}, MethodShape.{method.Shape}, takesToken: {takesToken})";
        writer.Indented(choices.Length == 0 ? $"{descriptor}," : $"{descriptor} {{ {choices} }},");
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

    private static void EmitArguments(SourceWriter writer, MethodModel method, MessageModel arguments)
    {
        writer.Line();
        writer.Open($"internal struct {arguments.TypeName.Substring(arguments.TypeName.LastIndexOf('.') + 1)}");
        foreach (var parameter in method.Sent) writer.Line($"public {parameter.TypeName} {parameter.Name};");
        writer.Close();
        writer.Line();
        CodecEmitter.Emit(writer, arguments);
    }
}
