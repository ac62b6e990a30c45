using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Collects the mistakes of one contract, each once and at the best known location.</summary>
/// <param name="assembly">The assembly being compiled: only its symbols have locations to report.</param>
internal sealed class Findings(IAssemblySymbol assembly)
{
    private readonly List<DiagnosticModel> _diagnostics = [];

    /// <summary>The current contract member: the location for symbols of other assemblies.</summary>
    public ISymbol? Origin { get; set; }

    /// <summary>The location if neither the symbol nor <see cref="Origin"/> has one: the method that takes a callback of another assembly.</summary>
    public ISymbol? Taker { get; set; }

    public bool HasErrors { get; private set; }

    public EquatableArray<DiagnosticModel> ToArray() => new([.. _diagnostics]);

    public void Report(DiagnosticDescriptor descriptor, ISymbol symbol, params string[] arguments)
    {
        var diagnostic = new DiagnosticModel(descriptor, LocationModel.From(Place(symbol)), new EquatableArray<string>([.. arguments]));
        if (_diagnostics.Contains(diagnostic)) return;
        _diagnostics.Add(diagnostic);
        HasErrors |= descriptor.DefaultSeverity == DiagnosticSeverity.Error;
    }

    /// <summary>True if the project declares the symbol, and so can change it.</summary>
    public bool IsHere(ISymbol symbol) => SymbolEqualityComparer.Default.Equals(symbol.ContainingAssembly, assembly);

    private Location? Place(ISymbol symbol)
    {
        var shown = IsHere(symbol) ? symbol : Origin ?? symbol;
        if (Taker is not null && !IsHere(shown)) shown = Taker;
        return shown.Locations.FirstOrDefault(static location => location.IsInSource);
    }
}
