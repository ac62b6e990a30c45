using Microsoft.CodeAnalysis;

namespace Mux.Generators.Reading;

/// <summary>What generated code, which stands in the same assembly but in types of its own, may name and call.</summary>
internal static class Reachability
{
    public static bool IsReachable(this Compilation compilation, ISymbol symbol)
    {
        for (var type = symbol as INamedTypeSymbol; type is not null; type = type.ContainingType)
        {
            if (type.IsFileLocal) return false;
        }

        return compilation.IsSymbolAccessibleWithin(symbol, compilation.Assembly);
    }
}
