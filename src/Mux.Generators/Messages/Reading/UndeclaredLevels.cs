using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Finds messages and contracts of this project whose dates, spans, Guid or decimal are written as at level 200 only because no level is declared. Each is told
/// once. Works on what was read for the codec, and looks for a level only where it matters.
/// </summary>
internal sealed class UndeclaredLevels(Findings findings)
{
    private readonly CompatibilityLevelReader _levels = new(findings);
    private readonly HashSet<INamedTypeSymbol> _told = new(SymbolEqualityComparer.Default);

    /// <summary>Checks a member of a message, or an argument of a method.</summary>
    /// <param name="type">The message or contract.</param>
    /// <param name="symbol">The property, field or parameter.</param>
    /// <param name="value">How it is written.</param>
    public void Check(INamedTypeSymbol type, ISymbol symbol, ValueModel value)
    {
        if (!IsOfLevel200(value) || !findings.IsHere(type) || _levels.Declared(type) is not null || _levels.DeclaredAt(symbol) is not null) return;
        Tell(type, symbol);
    }

    /// <summary>Checks a value that a method sends alone.</summary>
    /// <param name="contract">The contract.</param>
    /// <param name="symbol">The parameter, or the method for its result.</param>
    /// <param name="value">How it is written.</param>
    public void CheckSingle(INamedTypeSymbol contract, ISymbol symbol, ValueModel value)
    {
        if (IsOfLevel200(value) && findings.IsHere(contract) && _levels.DeclaredForSingleValues(contract) is null)
            Tell(contract, symbol);
    }

    private void Tell(INamedTypeSymbol type, ISymbol symbol)
    {
        if (_told.Add(type)) findings.Report(MuxDiagnostics.UndeclaredLevel, type, type.ToDisplay(), symbol.Name);
    }

    // Whatever a member wraps around it: entries of a map, and wrappers for null.
    private static bool IsOfLevel200(ValueModel value) => value switch
    {
        FrameworkModel framework => framework.Form
            is FrameworkForm.BclGuid or FrameworkForm.BclDecimal or FrameworkForm.BclDateTime or FrameworkForm.BclTimeSpan,
        EnvelopeModel envelope => envelope.Message.Members.Any(static member => IsOfLevel200(member.Value)),
        _ => false,
    };
}
