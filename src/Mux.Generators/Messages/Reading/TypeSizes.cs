using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Sizes of the types that one contract mentions. Finding the objects that initializers create requires binding, which is slow, so each type is measured once
/// per depth. Not thread-safe.
/// </summary>
internal sealed class TypeSizes(Compilation compilation)
{
    private readonly Dictionary<(ITypeSymbol Type, int Depth), int> _known = [];

    /// <summary>The types that were measured.</summary>
    public IEnumerable<ITypeSymbol> Types => _known.Keys.Select(static key => key.Type);

    /// <summary>Gets the size of an object with the objects that its initializers create, or of a struct, in bytes.</summary>
    /// <param name="type">The type.</param>
    /// <param name="depth">Length of the chain of objects that create this one.</param>
    public int Of(INamedTypeSymbol type, int depth = 0)
    {
        if (type.IsValueType) return TypeSize.OfSlot(type);
        var key = ((ITypeSymbol)type, depth);
        if (!_known.TryGetValue(key, out int size)) _known.Add(key, size = TypeSize.Of(type, new PresetSize(compilation, this, depth).Of(type)));
        return size;
    }
}
