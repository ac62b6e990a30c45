using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>A diagnostic to report.</summary>
/// <param name="Descriptor">One of the static descriptors.</param>
/// <param name="Location">Location; null if it is in no source file of the project.</param>
/// <param name="Arguments">Arguments of the message.</param>
internal sealed record DiagnosticModel(DiagnosticDescriptor Descriptor, LocationModel? Location, EquatableArray<string> Arguments)
{
    public Diagnostic ToDiagnostic(Compilation compilation) => Diagnostic.Create(Descriptor, Location?.ToLocation(compilation), [.. Arguments]);
}
