using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>Reads the methods of one contract.</summary>
internal sealed class MethodReader(INamedTypeSymbol contract, MessageCatalog messages, Findings findings, int serviceDispatch)
{
    private static readonly string[] s_dispatches = ["Default", "Inline", "Pool"];

    private readonly Dictionary<string, IMethodSymbol> _wireNames = new(StringComparer.Ordinal);
    private readonly HashSet<string> _identifiers = new(StringComparer.Ordinal);
    private readonly PayloadReader _payloads = new(messages, findings);

    /// <summary>Null if the method cannot be read at all; whatever is wrong is in the findings.</summary>
    public MethodModel? Read(IMethodSymbol method)
    {
        var attribute = method.FindAttribute(WellKnownNames.MuxMethod);
        var wireName = attribute?.Argument("name") as string ?? WireName.OfMethod(method.Name);
        CheckName(method, wireName);
        if (method.IsGenericMethod) findings.Report(MuxDiagnostics.GenericMethod, method, method.ToDisplay());

        var parameters = ReadParameters(method, out var token);
        var (form, result) = ReadReturn(method);
        if (form is null || method.IsGenericMethod) return null;

        bool oneWay = attribute?.Flag("OneWay") == true;
        if (oneWay && result is not null) findings.Report(MuxDiagnostics.OneWayResult, method, method.ToDisplay(), method.ReturnType.ToDisplay());

        var sent = parameters.Select(static parameter => new ParameterModel(SymbolText.Escape(parameter.Name), parameter.Type.ToCode()));
        var identifier = Identify(WireName.OfMethod(method.Name));
        var subject = $"{contract.ToDisplay()}.{method.Name}";
        var container = contract.ToIdentifier() + "_Service";
        var request = _payloads.ReadArguments(method, parameters, subject, container, identifier, out var arguments);
        var response = _payloads.ReadResult(method, result, subject);
        if (request is null || response is null) return null;

        return new MethodModel(
            SymbolText.Escape(method.Name),
            identifier,
            wireName,
            form.Value,
            result?.ToCode(),
            new EquatableArray<ParameterModel>([.. sent]),
            token is null ? null : SymbolText.Escape(token.Name),
            oneWay,
            ReadDispatch(attribute),
            request,
            response,
            arguments);
    }

    private void CheckName(IMethodSymbol method, string wireName)
    {
        if (!WireName.IsValid(wireName)) findings.Report(MuxDiagnostics.MethodName, method, wireName, method.ToDisplay());
        if (!_wireNames.TryGetValue(wireName, out var other)) _wireNames.Add(wireName, method);
        else findings.Report(MuxDiagnostics.DuplicateMethod, method, other.ToDisplay(), method.ToDisplay(), wireName);
    }

    private IParameterSymbol[] ReadParameters(IMethodSymbol method, out IParameterSymbol? token)
    {
        token = null;
        foreach (var parameter in method.Parameters)
        {
            var kind = parameter switch
            {
                { RefKind: not RefKind.None } => parameter.RefKind.ToString().ToLowerInvariant(),
                { IsParams: true } => "params",
                _ => null,
            };
            if (kind is not null) findings.Report(MuxDiagnostics.ParameterKind, parameter, parameter.Name, method.ToDisplay(), kind);

            if (parameter.Type is not INamedTypeSymbol type || type.ToFullName() != WellKnownNames.CancellationToken) continue;
            if (parameter.Ordinal == method.Parameters.Length - 1) token = parameter;
            else findings.Report(MuxDiagnostics.TokenPosition, parameter, parameter.Name, method.ToDisplay());
        }

        return [.. method.Parameters.Where(static parameter => (parameter.Type as INamedTypeSymbol)?.ToFullName() != WellKnownNames.CancellationToken)];
    }

    private (ReturnForm? Form, ITypeSymbol? Result) ReadReturn(IMethodSymbol method)
    {
        var type = method.ReturnType as INamedTypeSymbol;
        ReturnForm? form = type?.ToFullName() switch
        {
            WellKnownNames.ValueTask => ReturnForm.ValueTask,
            WellKnownNames.Task => ReturnForm.Task,
            _ => null,
        };
        if (form is not null && !method.ReturnsByRef && !method.ReturnsByRefReadonly) return (form, type!.TypeArguments.FirstOrDefault());

        var hint = type?.ToFullName() == WellKnownNames.AsyncEnumerable ? "; streams are not supported yet" : string.Empty;
        findings.Report(MuxDiagnostics.ReturnType, method, method.ToDisplay(), method.ReturnType.ToDisplay(), hint);
        return default;
    }

    private string ReadDispatch(AttributeData? attribute)
    {
        int dispatch = attribute?.Number("Dispatch") is > 0 and var own ? own : serviceDispatch;
        return s_dispatches[dispatch > 0 && dispatch < s_dispatches.Length ? dispatch : 0];
    }

    // Overloads have the same C# name and different wire names.
    private string Identify(string name)
    {
        var identifier = name;
        for (int i = 2; !_identifiers.Add(identifier); i++) identifier = name + i;
        return identifier;
    }
}
