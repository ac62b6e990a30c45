using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Symbols;

/// <summary>
/// Rejects messages from reference assemblies. Such an assembly lacks private fields, conditions and callbacks, so a codec made from it would silently omit
/// them.
/// </summary>
internal static class ReferenceAssemblies
{
    private const string Attribute = "System.Runtime.CompilerServices.ReferenceAssemblyAttribute";

    /// <summary>True if all parts of a message that protobuf-net would find can be seen here; otherwise the reason is in the findings.</summary>
    public static bool CheckWhole(INamedTypeSymbol type, Compilation compilation, Findings findings)
    {
        for (var declaring = type; declaring is not null; declaring = declaring.BaseType)
        {
            if (IsHere(declaring, compilation) || (!ReferenceEquals(declaring, type) && IsFramework(declaring))) continue;
            if (!declaring.ContainingAssembly.HasAttribute(Attribute)) continue;
            findings.Report(MuxDiagnostics.ReferenceAssembly, declaring, declaring.ToDisplay(), declaring.ContainingAssembly.Name);
            return false;
        }

        return true;
    }

    private static bool IsHere(INamedTypeSymbol type, Compilation compilation) =>
        SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly);

    // Base classes matter for conditions. Classes of the framework, which is always referenced as reference assemblies, have none.
    private static bool IsFramework(INamedTypeSymbol type)
    {
        var space = type.ContainingNamespace;
        while (space is { IsGlobalNamespace: false, ContainingNamespace.IsGlobalNamespace: false }) space = space.ContainingNamespace;
        return space is { Name: "System" or "Microsoft" };
    }
}
