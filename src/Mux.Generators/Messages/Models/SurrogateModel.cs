namespace Mux.Generators.Messages.Models;

/// <summary>The type that is read and written in place of a message.</summary>
/// <param name="TypeName">The surrogate, fully qualified.</param>
/// <param name="Codec">Its codec; null where it is no message, and stands in a field itself.</param>
/// <param name="IsStruct">Whether it is a value type, so that there is never none.</param>
/// <param name="To">Makes a surrogate of an object.</param>
/// <param name="From">Makes an object of a surrogate.</param>
internal sealed record SurrogateModel(string TypeName, string? Codec, bool IsStruct, ConversionModel To, ConversionModel From);
