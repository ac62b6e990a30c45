using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Importing;

/// <summary>A mistake in a file that is imported.</summary>
/// <param name="Descriptor">One of <see cref="ImportDiagnostics"/>.</param>
/// <param name="Path">The file; null for none.</param>
/// <param name="Line">Line in the file, from 1; 0 for the whole file.</param>
/// <param name="Column">Column in the file, from 1.</param>
/// <param name="Arguments">Arguments of the message.</param>
internal sealed record ImportFault(DiagnosticDescriptor Descriptor, string? Path, int Line, int Column, EquatableArray<string> Arguments)
{
    public Diagnostic ToDiagnostic()
    {
        var place = new LinePosition(Math.Max(Line - 1, 0), Math.Max(Column - 1, 0));
        var location = Path is null ? null : Location.Create(Path, default, new LinePositionSpan(place, place));
        return Diagnostic.Create(Descriptor, location, [.. Arguments]);
    }
}
