using Mux.Generators.Describing;

namespace Mux.Generators.Importing;

/// <summary>The description of an imported type.</summary>
/// <param name="Describer">Name of the class that has it.</param>
/// <param name="Part">The descriptor.</param>
/// <param name="Targets">Describers of the types that it names.</param>
internal sealed record ImportedPart(string Describer, PartModel Part, EquatableArray<string> Targets);
