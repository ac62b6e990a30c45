namespace Mux.Generators.Contracts.Models;

/// <summary>What travels in one direction of a method, or one item of it.</summary>
/// <param name="TypeName">The C# type the runtime sees.</param>
/// <param name="Codec">The class that reads and writes it; null for nothing and for bytes.</param>
/// <param name="DisplayName">What errors call it.</param>
/// <param name="Initial">A C# expression for what is read into.</param>
/// <param name="RefusesNull">Whether it is a message of a reference type, for which null has no bytes.</param>
/// <param name="Form">How the type stands to what is written.</param>
/// <param name="Serialized">By which serializer it travels; null for the codec.</param>
internal sealed record PayloadModel(
    string TypeName, string? Codec, string DisplayName, string Initial, bool RefusesNull, PayloadForm Form = PayloadForm.Value,
        SerializedModel? Serialized = null);
