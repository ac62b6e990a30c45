using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>
/// The array in which the large message stands that this thread decodes: a decoder that keeps the bytes may take it instead of copying them. The other way
/// round it is <see cref="MessageBuffer.TryDetach"/>.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ReceivedArray
{
    [ThreadStatic]
    private static byte[]? t_lent;

    /// <summary>Before a message is decoded that begins an array of <see cref="Buffers.MessageMemory.Pool"/>.</summary>
    /// <returns>What <see cref="TryReturn"/> takes: decoding may run code that decodes another message.</returns>
    public static byte[]? Lend(byte[] array)
    {
        var before = t_lent;
        t_lent = array;
        return before;
    }

    /// <summary>After a message was decoded, on the same thread.</summary>
    /// <returns>Whether the array is still its owner's.</returns>
    public static bool TryReturn(byte[] array, byte[]? before)
    {
        bool isOwners = t_lent == array;
        t_lent = before;
        return isOwners;
    }

    /// <summary>Takes the array.</summary>
    /// <param name="body">The whole message.</param>
    /// <param name="array">May be returned to <see cref="Buffers.MessageMemory.Pool"/>, once.</param>
    /// <returns>False if the message stands elsewhere.</returns>
    internal static bool TryTake(ReadOnlySpan<byte> body, [NotNullWhen(true)] out byte[]? array)
    {
        array = null;
        if (t_lent is not { Length: > 0 } lent || !Unsafe.AreSame(in MemoryMarshal.GetReference(body), in lent[0])) return false;
        t_lent = null;
        array = lent;
        return true;
    }
}
