using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads the methods of one contract.</summary>
internal sealed class MethodReader(INamedTypeSymbol contract, AttributeData service, MessageCatalog messages, Findings findings, Compilation compilation)
{
    private readonly MethodNames _names = new(findings);
    private readonly ParameterReader _parameters = new(findings);
    private readonly ReturnReader _returns = new(findings);
    private readonly PayloadReader _payloads = new(messages, findings, new SerializedPayloads(compilation, findings));
    private readonly SerializerReader _serializers = new(contract, service, compilation, findings);
    private readonly ChoiceReader _choices = new(contract, service, findings);
    private readonly CallbackContractReader _callbacks = new(contract, messages, findings, compilation);
    private readonly KeyReader _keys = new(compilation, findings);
    private readonly OrderReader _order = new(findings);
    private readonly BatchReader _batches = new(contract, findings);
    private readonly ErrorReader _errors = new(contract, messages, findings, new SerializedPayloads(compilation, findings));

    /// <summary>Reads a method. Null if it cannot be read at all; all mistakes are in the findings.</summary>
    public MethodModel? Read(IMethodSymbol method)
    {
        var attribute = method.FindAttribute(WellKnownNames.MuxMethod);
        var wireName = _names.Read(method, attribute);
        bool oneWay = attribute?.Flag("OneWay") == true;
        var signature = _parameters.Read(method);
        var returned = _returns.Read(method, oneWay, signature.Stream is not null);
        if (returned is null || method.IsGenericMethod) return null;

        if (!_serializers.TryRead(method, attribute, out var serializer)) return null;

        _payloads.Serializer = serializer;
        var choices = _choices.Read(
            method, attribute) with
        { Format = serializer?.Format ?? ChoicesModel.Protobuf, Authorization = AuthorizationReader.Read(contract, method) };
        var errors = _errors.Read(method, serializer);
        var identifier = _names.Identify(method);
        var subject = $"{contract.ToDisplay()}.{method.Name}";
        var container = contract.ToIdentifier() + "_Service";
        var request = _payloads.ReadArguments(method, signature.Arguments, subject, container, identifier, out var arguments);
        var item = _payloads.ReadStream(signature.Stream, subject);
        var response = _payloads.ReadResult(method, returned, subject);
        var key = _keys.Read(method, signature);
        var callbacks = _callbacks.ReadAll(method, signature, returned, oneWay, serializer);
        if (request is null || item is null || response is null || callbacks is null) return null;
        bool hasCallbacks = signature.Callbacks.Length > 0;

        var model = new MethodModel(
            SymbolText.Escape(method.Name),
            identifier,
            wireName,
            returned.Form,
            returned.Result?.ToCode(),
            signature.All,
            oneWay,
            choices,
            request,
            hasCallbacks ? PayloadReader.CallbackAnswer(subject) : item,
            hasCallbacks ? PayloadReader.CallbackMessage(subject) : response,
            StreamTypes.FormOf(signature.Stream?.Type),
            returned.Stream,
            errors,
            arguments,
            SymbolEqualityComparer.Default.Equals(method.ContainingType, contract) ? null : method.ContainingType.ToIdentity())
        {
            Key = key,
            IsObsolete = method.HasAttribute(WellKnownNames.Obsolete),
            Callbacks = new EquatableArray<CallbackContractModel>([.. callbacks]),
            CallbackResult = hasCallbacks ? response : null,
        };
        _order.Check(method, model);
        return model with { Batched = _batches.Read(method, attribute, model) };
    }

    /// <summary>Reports mistakes of a contract without a method that would report them.</summary>
    public void CheckService()
    {
        if (_serializers.TryRead(contract, own: null, out var serializer)) _errors.ReadService(serializer);
    }
}
