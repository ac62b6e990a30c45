using Microsoft.CodeAnalysis;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>A C# type that protobuf-net takes as a collection or map.</summary>
/// <param name="Item">The type of its items; for a map the type of its values.</param>
/// <param name="Key">For a map, the type of its keys; else null.</param>
/// <param name="Model">How it is read and written; null if it cannot be.</param>
/// <param name="Problem">Why it cannot be.</param>
internal sealed record CollectionType(ITypeSymbol Item, ITypeSymbol? Key, CollectionModel? Model, string? Problem = null);
