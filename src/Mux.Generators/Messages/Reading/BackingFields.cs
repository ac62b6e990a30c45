using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>Finds the fields that the compiler puts behind properties.</summary>
internal static class BackingFields
{
    /// <summary>The field behind a property; null if code computes it, or if it is private in another assembly.</summary>
    public static IFieldSymbol? BackingField(this IPropertySymbol property)
    {
        return property.ContainingType.GetMembers($"<{property.Name}>k__BackingField").OfType<IFieldSymbol>()
            .FirstOrDefault(field => SymbolEqualityComparer.Default.Equals(field.AssociatedSymbol, property));
    }
}
