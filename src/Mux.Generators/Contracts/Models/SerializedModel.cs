namespace Mux.Generators.Contracts.Models;

/// <summary>A value sent by a serializer that the contract names.</summary>
/// <param name="Serializer">The C# type of the serializer, fully qualified.</param>
/// <param name="TypeName">C# type passed to the serializer; null if nothing is sent.</param>
/// <param name="DisplayName">Name for errors: method, type and format.</param>
internal sealed record SerializedModel(string Serializer, string? TypeName, string DisplayName);
