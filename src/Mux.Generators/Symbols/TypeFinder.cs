using Microsoft.CodeAnalysis;

namespace Mux.Generators.Symbols;

/// <summary>Finds types by name.</summary>
internal static class TypeFinder
{
    /// <summary>Finds a type by its full name, in which a dot separates a nested type, too; null if there is none.</summary>
    /// <param name="types">Finds types by their metadata name.</param>
    /// <param name="fullName">The name.</param>
    public static INamedTypeSymbol? Find(Func<string, INamedTypeSymbol?> types, string fullName)
    {
        var name = fullName;
        INamedTypeSymbol? type;
        while ((type = types(name)) is null)
        {
            int dot = name.LastIndexOf('.');
            if (dot < 0) return null;
            name = name.Substring(0, dot) + "+" + name.Substring(dot + 1);
        }

        return type;
    }
}
