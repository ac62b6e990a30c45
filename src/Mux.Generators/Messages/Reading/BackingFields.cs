using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>Finds the backing fields of properties.</summary>
internal static class BackingFields
{
    /// <summary>Gets the backing field of a property; null if the property is computed, or the field is private in another assembly.</summary>
    public static IFieldSymbol? BackingField(this IPropertySymbol property)
    {
        return property.ContainingType.GetMembers($"<{property.Name}>k__BackingField").OfType<IFieldSymbol>()
            .FirstOrDefault(field => SymbolEqualityComparer.Default.Equals(field.AssociatedSymbol, property));
    }
}
