using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Importing;

/// <summary>What a project's .proto files become.</summary>
/// <param name="Files">C# files of their types.</param>
/// <param name="Contracts">Contracts of these types, and the messages that they reach.</param>
/// <param name="Parts">Descriptions of all types.</param>
/// <param name="Codecs">The codecs that files ask for, besides those of contracts.</param>
/// <param name="Faults">Mistakes.</param>
internal sealed record ImportModel(
    EquatableArray<ImportedFile> Files, EquatableArray<ContractModel> Contracts, EquatableArray<ImportedPart> Parts,
    ImportedCodecs Codecs, EquatableArray<ImportFault> Faults)
{
    /// <summary>Gets the model of a project without such files.</summary>
    public static ImportModel Empty { get; } = new(default, default, default, ImportedCodecs.None, default);

    /// <summary>Gets a value indicating whether a file, or a service of one, is not imported.</summary>
    public bool HasErrors => Faults.Any(static fault => fault.Descriptor.DefaultSeverity == DiagnosticSeverity.Error);
}
