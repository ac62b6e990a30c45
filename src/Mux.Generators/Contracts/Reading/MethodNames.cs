using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Names of the methods of one interface: on the wire, and in generated code.</summary>
internal sealed class MethodNames(Findings findings)
{
    private readonly Dictionary<string, IMethodSymbol> _wireNames = new(StringComparer.Ordinal);
    private readonly HashSet<string> _identifiers = new(StringComparer.Ordinal);

    /// <summary>Gets the wire name of a method. Mistakes are in the findings.</summary>
    public string Read(IMethodSymbol method, AttributeData? attribute)
    {
        var wireName = attribute?.Argument("name") as string ?? WireName.OfMethod(method.Name);
        if (!WireName.IsValid(wireName)) findings.Report(MuxDiagnostics.MethodName, method, wireName, method.ToDisplay());
        if (!_wireNames.TryGetValue(wireName, out var other)) _wireNames.Add(wireName, method);
        else findings.Report(MuxDiagnostics.DuplicateMethod, method, other.ToDisplay(), method.ToDisplay(), wireName);
        if (method.IsGenericMethod) findings.Report(MuxDiagnostics.GenericMethod, method, method.ToDisplay());
        return wireName;
    }

    /// <summary>
    /// Gets a name for generated code, in which a single '_' is a joint of the generator alone, as in those of types.
    /// Overloads have the same C# name but different wire names.
    /// </summary>
    public string Identify(IMethodSymbol method)
    {
        var name = WireName.OfMethod(method.Name).Replace("_", "__");
        var identifier = name;
        for (int i = 2; !_identifiers.Add(identifier); i++) identifier = name + i;
        return identifier;
    }
}
