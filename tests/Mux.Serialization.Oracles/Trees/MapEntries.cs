namespace Mux.Serialization.Oracles.Trees;

/// <summary>The entries of a map, in any order, in which a key stands once.</summary>
public sealed record MapEntries(IReadOnlyList<KeyValuePair<object, object>> Items);
