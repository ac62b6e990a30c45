namespace Mux.Generators.Contracts.Models;

/// <summary>Payload of one direction of a method, or one item of it.</summary>
/// <param name="TypeName">C# type that the runtime sees.</param>
/// <param name="Codec">Class that reads and writes it; null for no value and for bytes.</param>
/// <param name="DisplayName">Name for errors.</param>
/// <param name="Initial">C# expression for the value to read into.</param>
/// <param name="RefusesNull">True for a message of a reference type, for which null has no encoding.</param>
/// <param name="Form">Relation of the type to the written value.</param>
/// <param name="Serialized">Serializer that sends it; null for the codec.</param>
internal sealed record PayloadModel(
    string TypeName, string? Codec, string DisplayName, string Initial, bool RefusesNull, PayloadForm Form = PayloadForm.Value,
        SerializedModel? Serialized = null)
{
    /// <summary>C# type of the written value; differs from <see cref="TypeName"/> for a result.</summary>
    public string ValueType { get; init; } = TypeName;
}
