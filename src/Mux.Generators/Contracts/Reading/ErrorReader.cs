using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// Reads the messages that may accompany failures of one contract's methods: those declared by a method, its service, and the interface that declares it.
/// </summary>
internal sealed class ErrorReader
{
    private const int MaxNumber = 65535;

    private readonly MessageCatalog _messages;
    private readonly INamedTypeSymbol _contract;
    private readonly Findings _findings;
    private readonly SerializedPayloads _serialized;
    private readonly Dictionary<string, List<ErrorModel>> _ofService = new(StringComparer.Ordinal); // by the name of the serializer
    private Serializer? _serializer; // of the method that is read

    public ErrorReader(INamedTypeSymbol contract, MessageCatalog messages, Findings findings, SerializedPayloads serialized)
    {
        _contract = contract;
        _messages = messages;
        _findings = findings;
        _serialized = serialized;
    }

    /// <param name="method">The method.</param>
    /// <param name="serializer">Serializer of the method and of its service's errors; null for the codec.</param>
    public EquatableArray<ErrorModel> Read(IMethodSymbol method, Serializer? serializer)
    {
        var errors = new List<ErrorModel>(ReadService(serializer));
        if (!SymbolEqualityComparer.Default.Equals(method.ContainingType, _contract)) AddTo(errors, method.ContainingType);
        AddTo(errors, method);
        return new EquatableArray<ErrorModel>([.. errors.OrderBy(static error => error.Number)]);
    }

    /// <summary>Reads the errors that the service declares, for methods with the given serializer; null for the codec.</summary>
    public IReadOnlyList<ErrorModel> ReadService(Serializer? serializer)
    {
        _serializer = serializer;
        var name = serializer?.Type.ToIdentity() ?? string.Empty;
        if (_ofService.TryGetValue(name, out var errors)) return errors;

        _ofService.Add(name, errors = []);
        var origin = _findings.Origin;
        _findings.Origin = _contract;
        AddTo(errors, _contract);
        _findings.Origin = origin;
        return errors;
    }

    private void AddTo(List<ErrorModel> errors, ISymbol symbol)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            if (attribute.FullName() != WellKnownNames.MuxError || attribute.AttributeClass!.TypeArguments.Length != 1) continue;
            if (Read(errors, symbol, attribute.Number("number") ?? 0, attribute.AttributeClass.TypeArguments[0]) is { } error)
                errors.Add(error with { Depth = DepthOf(attribute.AttributeClass.TypeArguments[0]) });
        }
    }

    private static int DepthOf(ITypeSymbol type)
    {
        int depth = 0;
        for (var parent = type.BaseType; parent is not null; parent = parent.BaseType) depth++;
        return depth;
    }

    private ErrorModel? Read(List<ErrorModel> known, ISymbol symbol, int number, ITypeSymbol type)
    {
        var text = number.ToString(CultureInfo.InvariantCulture);
        var typeName = type.ToBareCode();
        if (number is < 1 or > MaxNumber)
            _findings.Report(MuxDiagnostics.ErrorNumber, symbol, type.ToDisplay(), symbol.ToDisplay(), text);
        else if (_serializer is null ? type is not INamedTypeSymbol named || MessageContract.Of(named) is null : type.IsTupleType)
            _findings.Report(MuxDiagnostics.ErrorDetail, symbol, symbol.ToDisplay(), type.ToDisplay());
        else if (known.Any(error => error.Number == number && error.TypeName == typeName) && IsInherited(symbol))
            return null; // the contract repeats an inherited declaration
        else if (known.Any(error => error.Number == number))
            _findings.Report(MuxDiagnostics.DuplicateError, symbol, symbol.ToDisplay(), $"the number {text}");
        else if (known.Any(error => error.TypeName == typeName))
            _findings.Report(MuxDiagnostics.DuplicateError, symbol, symbol.ToDisplay(), $"the type '{type.ToDisplay()}'");
        else if (_serializer is { } serializer)
            return _serialized.Read(symbol, type, serializer, $"{symbol.ToDisplay()}, error {text}") is { } model
                ? new ErrorModel(number, typeName, null, model) : null;
        else if (_messages.ReadValue(symbol, type) is { Container: Container.Single, Value: NestedModel message })
            return new ErrorModel(number, typeName, message.Codec);
        return null;
    }

    private bool IsInherited(ISymbol symbol) => symbol is INamedTypeSymbol declaring && !SymbolEqualityComparer.Default.Equals(declaring, _contract);
}
