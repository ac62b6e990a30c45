using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>What generated code, which stands in the same assembly but in types of its own, may name and call.</summary>
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

    // Most are, and the compiler looks through all references to answer for one of another assembly. It also looks at arguments of types, which is left to it.
    private static bool IsPublic(ISymbol symbol)
    {
        for (var part = symbol; part is not (null or INamespaceSymbol); part = part.ContainingSymbol)
        {
            if (part.DeclaredAccessibility != Accessibility.Public || part is INamedTypeSymbol { IsGenericType: true }) return false;
        }

        return true;
    }
}
