namespace Mux.Generators.Messages.Models;

/// <summary>Type that is read and written in place of a message.</summary>
/// <param name="TypeName">The surrogate, fully qualified.</param>
/// <param name="Codec">Codec of the surrogate; null if it is not a message but a value in a field.</param>
/// <param name="IsStruct">True if it is a value type, which cannot be null.</param>
/// <param name="To">Conversion to the surrogate.</param>
/// <param name="From">Conversion from the surrogate.</param>
internal sealed record SurrogateModel(string TypeName, string? Codec, bool IsStruct, ConversionModel To, ConversionModel From);
