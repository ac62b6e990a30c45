namespace Mux.Tests.Architecture;

/// <summary>What the code of one layer may name.</summary>
/// <param name="Layer">The assembly without "Mux." and the folder: <c>Core.Wire</c>. Folders below it are parts of it, unless they have a row of their own.</param>
/// <param name="MayName">Layers, or single types of a layer.</param>
/// <param name="NeverFrom">Beginnings of namespaces of the framework that it keeps away from.</param>
internal sealed record LayerRule(string Layer, string[] MayName, string[] NeverFrom)
{
    /// <summary>Whether code of this layer may name a type of that layer.</summary>
    public bool Allows(string layer, string typeName) => layer == Layer || MayName.Contains(layer) || MayName.Contains($"{layer}.{typeName}");
}
