namespace Mux.Generators.Contracts.Models;

/// <summary>A message that may accompany a failure.</summary>
/// <param name="Number">Number on the wire.</param>
/// <param name="TypeName">The C# type, fully qualified.</param>
/// <param name="Codec">Class that reads and writes it; null if a serializer does.</param>
/// <param name="Serialized">Serializer that sends it; null for the codec.</param>
internal sealed record ErrorModel(int Number, string TypeName, string? Codec, SerializedModel? Serialized = null)
{
    /// <summary>Number of base classes of the type: an object is sent as the nearest declared class.</summary>
    public int Depth { get; init; }
}
