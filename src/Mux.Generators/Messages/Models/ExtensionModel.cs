namespace Mux.Generators.Messages.Models;

/// <summary>Storage of unknown fields in a type that implements protobuf-net's interface.</summary>
/// <param name="InterfaceName">The interface, fully qualified.</param>
/// <param name="IsTyped">True if it stores them separately for each class of a hierarchy.</param>
internal sealed record ExtensionModel(string InterfaceName, bool IsTyped);
