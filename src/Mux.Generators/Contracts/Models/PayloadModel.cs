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
    /// <summary>True for a single argument that has an encoding for null and is declared as never null.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Names of those of several arguments that are declared as never null.</summary>
    public EquatableArray<string> Required { get; init; } = EquatableArray<string>.Empty;

    /// <summary>True if its errors name the method, and the parameter if it is one; others name the message alone.</summary>
    public bool IsNamed => Codec is null || RefusesNull || IsRequired;

    /// <summary>C# type of the written value; differs from <see cref="TypeName"/> for a result.</summary>
    public string ValueType { get; init; } = TypeName;
}
