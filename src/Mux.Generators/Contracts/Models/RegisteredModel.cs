namespace Mux.Generators.Contracts.Models;

/// <summary>What the registration of a contract says.</summary>
/// <param name="InterfaceName">The C# interface, fully qualified.</param>
/// <param name="Container">The name of the class that holds what is generated for it.</param>
internal sealed record RegisteredModel(string InterfaceName, string Container);
