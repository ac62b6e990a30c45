namespace Mux.Generators.Contracts.Models;

/// <summary>The interface of implementations that take calls in batches.</summary>
/// <param name="Namespace">Namespace of the contract.</param>
/// <param name="Name">Name of the interface.</param>
/// <param name="IsPublic">True if the contract is public.</param>
/// <param name="IsObsolete">True if the contract is marked as obsolete.</param>
internal sealed record BatchModel(string Namespace, string Name, bool IsPublic, bool IsObsolete);
