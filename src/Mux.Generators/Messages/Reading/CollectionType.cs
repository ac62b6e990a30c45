using Microsoft.CodeAnalysis;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>A C# type that protobuf-net treats as a collection or map.</summary>
/// <param name="Item">Type of its items; for a map, type of its values.</param>
/// <param name="Key">For a map, type of its keys; otherwise null.</param>
/// <param name="Model">Way to read and write it; null if that is not possible.</param>
/// <param name="Problem">Reason why it is not possible.</param>
internal sealed record CollectionType(ITypeSymbol Item, ITypeSymbol? Key, CollectionModel? Model, string? Problem = null);
