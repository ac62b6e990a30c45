using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads the interfaces with [MuxCallback] that the methods of one contract take.</summary>
internal sealed class CallbackContractReader(INamedTypeSymbol contract, MessageCatalog messages, Findings findings, Compilation compilation)
{
    private const int MaxConcurrent = 64;

    private readonly Dictionary<(string Interface, string? Serializer), CallbackContractModel?> _known = [];

    /// <summary>Reads the callbacks of a method. Null if one cannot be called back; the reason is then in the findings.</summary>
    public List<CallbackContractModel>? ReadAll(IMethodSymbol method, Signature signature, ReturnValue returned, bool oneWay, Serializer? serializer)
    {
        var models = new List<CallbackContractModel>();
        foreach (var parameter in signature.Callbacks)
        {
            if (ProblemOf(parameter, signature, returned, oneWay) is { } problem)
                findings.Report(CallbackDiagnostics.Method, parameter, method.ToDisplay(), parameter.Name, problem);
            else if (Read(method, (INamedTypeSymbol)parameter.Type, serializer) is { } model) models.Add(model);
        }

        return models.Count == signature.Callbacks.Length ? models : null;
    }

    private static string? ProblemOf(IParameterSymbol parameter, Signature signature, ReturnValue returned, bool oneWay)
    {
        if (oneWay) return "but is one-way: its caller does not wait, so nothing could call back; remove OneWay";
        if (signature.Stream is { } stream) return $"and the stream '{stream.Name}'; callbacks are the stream of their call, so send the items by a callback";
        if (returned.Stream is not null) return "and returns a stream; callbacks are the stream of their call, so send the items by a callback";
        if (returned.IsResult) return "and returns a MuxResult; return the value, and let the caller catch the MuxException";
        bool isNullable = parameter.NullableAnnotation == NullableAnnotation.Annotated || parameter.HasExplicitDefaultValue;
        return isNullable ? "which may be null, but a callback is always an object; remove the annotation or the default value" : null;
    }

    private CallbackContractModel? Read(IMethodSymbol taker, INamedTypeSymbol type, Serializer? serializer)
    {
        var identity = ((INamedTypeSymbol)type.WithNullableAnnotation(NullableAnnotation.None)).ToIdentity();
        var key = (identity, serializer?.Type.ToBareCode());
        if (_known.TryGetValue(key, out var known)) return known;
        findings.Taker = taker;
        var identifier = type.ToIdentifier();
        for (int i = 2; _known.Values.Any(other => other?.Identifier == identifier); i++) identifier = $"{type.ToIdentifier()}{i}";
        var model = Read(type, identity, identifier, serializer);
        findings.Origin = taker;
        findings.Taker = null;
        _known.Add(key, model);
        return model;
    }

    private CallbackContractModel? Read(INamedTypeSymbol type, string identity, string identifier, Serializer? serializer)
    {
        findings.Origin = type;
        int concurrent = type.FindAttribute(WellKnownNames.MuxCallback)!.Number("Concurrent") ?? 1;
        if (concurrent is < 1 or > MaxConcurrent)
        {
            findings.Report(
                MuxDiagnostics.Choice, type, type.ToDisplay(), "Concurrent", Choice.Text(concurrent), $"allowed are 1 to {MaxConcurrent}; omit it for 1");
        }

        var reader = new CallbackMethodReader(type, messages, findings, compilation, serializer, contract.ToIdentifier() + "_Service", identifier);
        var methods = new List<MethodModel>();
        int count = 0;
        foreach (var method in new ContractMembers(type, compilation, findings).ReadMethods())
        {
            count++;
            if (reader.Read(method) is { } model) methods.Add(model);
        }

        if (count == 0 && !findings.HasErrors)
        {
            const string problem = "no method that could be called back; add one, or remove the parameter";
            findings.Report(CallbackDiagnostics.Interface, type, type.ToDisplay(), problem);
        }

        return count > 0 && methods.Count == count ? new CallbackContractModel(identifier, identity, type.ToDisplay(), concurrent, new([.. methods])) : null;
    }
}
