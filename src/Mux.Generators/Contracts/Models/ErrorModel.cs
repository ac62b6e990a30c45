namespace Mux.Generators.Contracts.Models;

/// <summary>A message that may come with a failure.</summary>
/// <param name="Number">By which it is known on the wire.</param>
/// <param name="TypeName">The C# type, fully qualified.</param>
/// <param name="Codec">The class that reads and writes it; null if a serializer does.</param>
/// <param name="Serialized">By which serializer it travels; null for the codec.</param>
internal sealed record ErrorModel(int Number, string TypeName, string? Codec, SerializedModel? Serialized = null)
{
    /// <summary>How many classes there are above the type: of an object the nearest class counts that is declared.</summary>
    public int Depth { get; init; }
}
