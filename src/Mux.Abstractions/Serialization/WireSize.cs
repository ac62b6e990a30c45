using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>How many bytes values take on the wire.</summary>
internal static class WireSize
{
    /// <summary>1 to 5 bytes. Of a constant, such as a tag, this is a constant.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Varint32(uint value) => value switch
    {
        < 1u << 7 => 1,
        < 1u << 14 => 2,
        < 1u << 21 => 3,
        < 1u << 28 => 4,
        _ => 5,
    };
}
