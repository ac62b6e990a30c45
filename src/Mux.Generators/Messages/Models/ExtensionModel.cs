namespace Mux.Generators.Messages.Models;

/// <summary>Where an object of a type that implements protobuf-net's interface keeps the fields that are not known.</summary>
/// <param name="InterfaceName">The interface, fully qualified.</param>
/// <param name="IsTyped">Whether it keeps them for each class of a chain apart.</param>
internal sealed record ExtensionModel(string InterfaceName, bool IsTyped);
