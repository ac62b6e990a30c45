using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>Tells which symbols generated code can name and call: it is in the same assembly, but in separate types.</summary>
internal static class Reachability
{
    public static bool IsReachable(this Compilation compilation, ISymbol symbol)
    {
        if (IsPublic(symbol)) return true;
        for (var type = symbol as INamedTypeSymbol; type is not null; type = type.ContainingType)
        {
            if (type.IsFileLocal) return false;
        }

        return compilation.IsSymbolAccessibleWithin(symbol, compilation.Assembly);
    }

    // Fast path for public symbols: for another assembly, the compiler searches all references to answer. It also checks type arguments, which is left to it.
    private static bool IsPublic(ISymbol symbol)
    {
        for (var part = symbol; part is not (null or INamespaceSymbol); part = part.ContainingSymbol)
        {
            if (part.DeclaredAccessibility != Accessibility.Public || part is INamedTypeSymbol { IsGenericType: true }) return false;
        }

        return true;
    }
}
