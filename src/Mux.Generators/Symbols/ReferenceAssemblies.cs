using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Symbols;

/// <summary>
/// Refuses messages whose assembly is a reference assembly. Such an assembly describes what other projects can call: private fields, conditions and callbacks
/// are not in it, so a codec made from it would leave them out without a word.
/// </summary>
internal static class ReferenceAssemblies
{
    private const string Attribute = "System.Runtime.CompilerServices.ReferenceAssemblyAttribute";

    /// <summary>Whether everything that protobuf-net would find of a message can be seen here; otherwise it is in the findings.</summary>
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

    // A base class counts for its conditions, and classes of the framework, which always comes as reference assemblies, have none.
    private static bool IsFramework(INamedTypeSymbol type)
    {
        var space = type.ContainingNamespace;
        while (space is { IsGlobalNamespace: false, ContainingNamespace.IsGlobalNamespace: false }) space = space.ContainingNamespace;
        return space is { Name: "System" or "Microsoft" };
    }
}
