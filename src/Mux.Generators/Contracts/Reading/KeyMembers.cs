using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Finds the members that types mark as the affinity key. Each type is searched once per contract.</summary>
internal sealed class KeyMembers
{
    private readonly Dictionary<INamedTypeSymbol, ISymbol[]> _known = new(SymbolEqualityComparer.Default);

    /// <summary>Gets the marked fields and properties of a type and its base classes, nearest first.</summary>
    public ISymbol[] Of(ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol { SpecialType: SpecialType.None } named) return [];
        if (!_known.TryGetValue(named, out var members)) _known.Add(named, members = Find(named));
        return members;
    }

    /// <summary>
    /// Gets the property that a parameter of a constructor stands for: in a positional record, an attribute without a target is one of the parameter.
    /// </summary>
    public static IPropertySymbol? PropertyOf(IParameterSymbol parameter)
    {
        if (parameter.ContainingSymbol is not IMethodSymbol { MethodKind: MethodKind.Constructor } constructor) return null;
        var properties = constructor.ContainingType.GetMembers().OfType<IPropertySymbol>();
        return properties.FirstOrDefault(property => string.Equals(property.Name, parameter.Name, StringComparison.OrdinalIgnoreCase));
    }

    private static ISymbol[] Find(INamedTypeSymbol type)
    {
        var found = new List<ISymbol>();
        for (var declaring = type; declaring is not null; declaring = declaring.OwnBase())
        {
            foreach (var member in declaring.GetMembers())
            {
                bool isMarked = member is IPropertySymbol or IFieldSymbol && member.HasAttribute(WellKnownNames.MuxKey);
                if (isMarked) Add((member as IFieldSymbol)?.AssociatedSymbol ?? member);
            }

            foreach (var parameter in declaring.InstanceConstructors.SelectMany(static constructor => constructor.Parameters))
            {
                if (parameter.HasAttribute(WellKnownNames.MuxKey) && PropertyOf(parameter) is { } property) Add(property);
            }
        }

        return [.. found];

        // An override has the name of what it overrides.
        void Add(ISymbol member)
        {
            if (!found.Exists(other => other.Name == member.Name)) found.Add(member);
        }
    }
}
