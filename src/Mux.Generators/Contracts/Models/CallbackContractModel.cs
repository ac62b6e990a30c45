namespace Mux.Generators.Contracts.Models;

/// <summary>An interface with [MuxCallback], as one contract sends its messages.</summary>
/// <param name="Identifier">Name for generated members, unique in the contract.</param>
/// <param name="InterfaceName">The C# interface, fully qualified.</param>
/// <param name="DisplayName">Name of the interface for messages.</param>
/// <param name="Concurrent">Number of methods of one object that run concurrently.</param>
/// <param name="Methods">In declaration order. Their identifiers begin with that of the interface.</param>
internal sealed record CallbackContractModel(
    string Identifier, string InterfaceName, string DisplayName, int Concurrent, EquatableArray<MethodModel> Methods);
