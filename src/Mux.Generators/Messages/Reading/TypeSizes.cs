using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// The sizes of the types that one contract mentions. What initializers make is found by binding them, which takes long: each type is measured once at every
/// depth, however many members have it or objects make it. For one thread.
/// </summary>
internal sealed class TypeSizes(Compilation compilation)
{
    private readonly Dictionary<(ITypeSymbol Type, int Depth), int> _known = [];

    /// <summary>Bytes of an object with what its initializers make, or of a struct.</summary>
    /// <param name="type">The type.</param>
    /// <param name="depth">How many objects make the one that makes this.</param>
    public int Of(INamedTypeSymbol type, int depth = 0)
    {
        if (type.IsValueType) return TypeSize.OfSlot(type);
        var key = ((ITypeSymbol)type, depth);
        if (!_known.TryGetValue(key, out int size)) _known.Add(key, size = TypeSize.Of(type, new PresetSize(compilation, this, depth).Of(type)));
        return size;
    }
}
