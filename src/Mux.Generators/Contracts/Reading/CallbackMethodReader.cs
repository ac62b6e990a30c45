using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads the methods of one interface with [MuxCallback].</summary>
/// <param name="callback">The interface.</param>
/// <param name="messages">Receives the messages that the methods reach.</param>
/// <param name="findings">Receives mistakes.</param>
/// <param name="compilation">The compilation.</param>
/// <param name="serializer">Serializer of the method that takes the callback; null for the codec.</param>
/// <param name="container">Class with the generated code.</param>
/// <param name="identifier">Name of the interface for generated members.</param>
internal sealed class CallbackMethodReader(
    INamedTypeSymbol callback, MessageCatalog messages, Findings findings, Compilation compilation, Serializer? serializer, string container,
    string identifier)
{
    private static readonly ChoicesModel s_choices = new(EquatableArray<string>.Empty);

    private readonly MethodNames _names = new(findings);
    private readonly ParameterReader _parameters = new(findings);
    private readonly ReturnReader _returns = new(findings);
    private readonly PayloadReader _payloads = new(messages, findings, new SerializedPayloads(compilation, findings)) { Serializer = serializer };

    /// <summary>Reads a method. Null if it cannot be called back; the reason is then in the findings.</summary>
    public MethodModel? Read(IMethodSymbol method)
    {
        var attribute = method.FindAttribute(WellKnownNames.MuxMethod);
        var wireName = _names.Read(method, attribute);
        bool oneWay = attribute?.Flag("OneWay") == true;
        var signature = _parameters.Read(method);
        var returned = _returns.Read(method, oneWay, takesStream: false);
        if (returned is null || method.IsGenericMethod) return null;
        if (ProblemOf(method, attribute, signature, returned) is { } problem)
        {
            findings.Report(CallbackDiagnostics.Interface, method, callback.ToDisplay(), $"its method '{method.Name}' {problem}");
            return null;
        }

        var name = $"{identifier}_{_names.Identify(method)}";
        var subject = $"{callback.ToDisplay()}.{method.Name}";
        var request = _payloads.ReadArguments(method, signature.Arguments, subject, container, name, out var arguments);
        var response = _payloads.ReadResult(method, returned, subject);
        if (request is null || response is null) return null;
        return new MethodModel(
            SymbolText.Escape(method.Name), name, wireName, returned.Form, returned.Result?.ToCode(), signature.All, oneWay, s_choices, request, response,
            response, null, null, EquatableArray<ErrorModel>.Empty, arguments,
            SymbolEqualityComparer.Default.Equals(method.ContainingType, callback) ? null : method.ContainingType.ToIdentity());
    }

    private static string? ProblemOf(IMethodSymbol method, AttributeData? attribute, Signature signature, ReturnValue returned)
    {
        if (signature.Stream is { } stream) return $"takes the stream '{stream.Name}'; a callback is itself a message of a stream, so send items one by one";
        if (returned.Stream is not null) return "returns a stream; a callback is itself a message of a stream, so return a list";
        if (returned.IsResult) return "returns a MuxResult; return the value, and let the handler catch the MuxException";
        if (signature.Callbacks.Length > 0) return $"takes the callback '{signature.Callbacks[0].Name}'; only a method of a [MuxService] can";
        if (signature.All.Any(static parameter => parameter.Role == ParameterRole.Options)) return "takes MuxCallOptions; a callback has none";
        var option = attribute?.NamedArguments.Select(static named => named.Key).FirstOrDefault(static key => key != "OneWay");
        if (option is not null) return $"sets {option}, which has no effect; set it at the method that takes the callback";
        return method.GetAttributes().Select(static data => data.FullName()).FirstOrDefault(static name =>
            name is WellKnownNames.MuxAuthorize or WellKnownNames.MuxAllowAnonymous or WellKnownNames.MuxError) is { } idle
            ? $"has the attribute {idle}, which has no effect; set it at the method that takes the callback" : null;
    }
}
