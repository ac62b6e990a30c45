namespace Mux.Generators.Models;

/// <summary>What travels in one direction of a method.</summary>
/// <param name="TypeName">The C# type the runtime sees.</param>
/// <param name="Codec">The class that reads and writes it; null for nothing.</param>
/// <param name="DisplayName">What errors call it.</param>
/// <param name="Initial">A C# expression for what is read into.</param>
/// <param name="RefusesNull">Whether it is a message of a reference type, for which null has no bytes.</param>
internal sealed record PayloadModel(string TypeName, string? Codec, string DisplayName, string Initial, bool RefusesNull);
