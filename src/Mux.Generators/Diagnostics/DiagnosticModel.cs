using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Something to tell the user.</summary>
/// <param name="Descriptor">One of the static descriptors, compared by reference.</param>
/// <param name="Location">Where; null if the place is in no source file of the project.</param>
/// <param name="Arguments">For the text.</param>
internal sealed record DiagnosticModel(DiagnosticDescriptor Descriptor, LocationModel? Location, EquatableArray<string> Arguments)
{
    public Diagnostic ToDiagnostic(Compilation compilation) => Diagnostic.Create(Descriptor, Location?.ToLocation(compilation), [.. Arguments]);
}
