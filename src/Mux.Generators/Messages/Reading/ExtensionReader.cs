using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Determines whether a message keeps unknown fields through an interface of protobuf-net.</summary>
internal sealed class ExtensionReader(Findings findings)
{
    /// <summary>Reads the interface. Null if there is none, or it is not usable; the reason is then in the findings.</summary>
    public ExtensionModel? Read(INamedTypeSymbol type, HierarchyModel? hierarchy, Construction construction)
    {
        var plain = Find(type, WellKnownNames.Extensible);
        var typed = Find(type, WellKnownNames.TypedExtensible);
        if (plain is null && typed is null) return null;

        var problem = type.IsValueType ? "a struct keeps no unknown fields"
            : hierarchy is not null && typed is null ? "in a class with a base or derived messages they are kept by ITypedExtensible"
            : construction == Construction.Parameters ? "only a class with a parameterless constructor has them when it is read" : null;
        if (problem is not null)
        {
            findings.Report(MuxDiagnostics.Extension, type, type.ToDisplay(), $"implements '{(plain ?? typed)!.ToDisplay()}', and {problem}");
            return null;
        }

        bool isTyped = typed is not null && (hierarchy is not null || plain is null);
        return new ExtensionModel((isTyped ? typed : plain)!.ToIdentity(), isTyped);
    }

    private static INamedTypeSymbol? Find(INamedTypeSymbol type, string name) => type.AllInterfaces.FirstOrDefault(candidate => candidate.ToFullName() == name);
}
