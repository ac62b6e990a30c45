namespace Mux.Generators.Contracts.Models;

/// <summary>What travels by a serializer that the contract names.</summary>
/// <param name="Serializer">The C# type of the serializer, fully qualified.</param>
/// <param name="TypeName">The C# type that it is given; null where nothing travels.</param>
/// <param name="DisplayName">What errors call it: method, type and format.</param>
internal sealed record SerializedModel(string Serializer, string? TypeName, string DisplayName);
