namespace Mux.Generators.Contracts.Models;

/// <summary>The affinity key of a method.</summary>
/// <param name="Access">C# expression that reads it from <c>request</c>.</param>
/// <param name="CanBeNull">True if the expression can be null, also because a message on the way to the member is.</param>
/// <param name="Form">How it is hashed.</param>
/// <param name="Name">The parameter or member that the contract marks, for messages.</param>
internal sealed record KeyModel(string Access, bool CanBeNull, KeyForm Form, string Name);
