using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Analysis;

/// <summary>A finding of the check of contracts, with the places where it may be shown.</summary>
/// <param name="Rule">Number of the rule.</param>
/// <param name="Arguments">Arguments of the message.</param>
/// <param name="Types">Full names of the C# type and of those around which it may be, the best one first.</param>
/// <param name="Path">The recorded file; null if the element is not recorded.</param>
/// <param name="Line">Line in that file, from 1; 0 for the whole file.</param>
/// <param name="Column">Column in that file, from 1.</param>
/// <param name="IsRaised">True if it is an error here, though by default it is a warning.</param>
internal sealed record ContractFindingModel(
    int Rule, EquatableArray<string> Arguments, EquatableArray<ContractPlace> Types, string? Path, int Line, int Column, bool IsRaised = false)
{
    /// <summary>Shows it where the code still has what it is about, else in the file.</summary>
    public Diagnostic ToDiagnostic(Compilation compilation)
    {
        var recorded = InFile();
        var location = Types.Select(place => place.Find(compilation)).FirstOrDefault(static found => found is not null) ?? recorded ?? Location.None;
        var others = recorded is null || location == recorded ? Enumerable.Empty<Location>() : [recorded];
        var descriptor = ContractDiagnostics.Of(Rule);
        var severity = IsRaised ? DiagnosticSeverity.Error : descriptor.DefaultSeverity;
        return Diagnostic.Create(descriptor, location, severity, others, null, [.. Arguments]);
    }

    private Location? InFile()
    {
        if (Path is null) return null;
        var place = new LinePosition(Math.Max(Line - 1, 0), Math.Max(Column - 1, 0));
        return Location.Create(Path, default, new LinePositionSpan(place, place));
    }
}
