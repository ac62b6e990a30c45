using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// The maps around the value that is read. Maps of maps need no message between them, so their own types may lead to
/// each other without end.
/// </summary>
internal sealed class MapNesting(Findings findings)
{
    // Each map of maps is written out in the code: more than a few larger ones of one kind are a circle.
    private const int MaxGrowth = 4;

    private readonly List<INamedTypeSymbol> _around = [];

    /// <summary>Begins to read a map; false if there is no end to it, and the reason is then in the findings.</summary>
    public bool TryEnter(ISymbol owner, INamedTypeSymbol type)
    {
        if (_around.Exists(other => SymbolEqualityComparer.Default.Equals(other, type)))
        {
            const string problem = "it is a map of maps of its own type, without end: declare a message that holds the map";
            findings.Report(MuxDiagnostics.UnsupportedType, owner, owner.ToDisplay(), type.ToDisplay(), problem);
            return false;
        }

        if (_around.FindAll(other => TypeGrowth.IsDeeper(type, other)).Count >= MaxGrowth)
        {
            var (place, definition) = (owner.OriginalDefinition.ToDisplay(), type.OriginalDefinition.ToDisplay());
            findings.Report(GenerationDiagnostics.EndlessTypes, owner, place, definition);
            return false;
        }

        _around.Add(type);
        return true;
    }

    /// <summary>Ends it.</summary>
    public void Leave() => _around.RemoveAt(_around.Count - 1);
}
