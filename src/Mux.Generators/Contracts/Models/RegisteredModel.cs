namespace Mux.Generators.Contracts.Models;

/// <summary>Registration of a contract.</summary>
/// <param name="InterfaceName">The C# interface, fully qualified.</param>
/// <param name="Container">Name of the class with the generated code.</param>
internal sealed record RegisteredModel(string InterfaceName, string Container);
