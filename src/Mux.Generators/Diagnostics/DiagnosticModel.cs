using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>A diagnostic to report.</summary>
/// <param name="Descriptor">One of the static descriptors.</param>
/// <param name="Location">Location; null if it is in no source file of the project.</param>
/// <param name="Arguments">Arguments of the message.</param>
internal sealed record DiagnosticModel(DiagnosticDescriptor Descriptor, LocationModel? Location, EquatableArray<string> Arguments)
{
    /// <param name="compilation">The compilation with the location.</param>
    /// <param name="isPublished">True if the project shows its contracts in the form of protobuf, so that values that
    /// no other library reads are warnings.</param>
    public Diagnostic ToDiagnostic(Compilation compilation, bool isPublished = false)
    {
        var severity = isPublished && Descriptor.Equals(MuxDiagnostics.UndeclaredLevel) ? DiagnosticSeverity.Warning
            : Descriptor.DefaultSeverity;
        return Diagnostic.Create(
            Descriptor, Location?.ToLocation(compilation), severity, additionalLocations: null, properties: null,
            [.. Arguments]);
    }
}
