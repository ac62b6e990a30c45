using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>
/// The array that contains the large message which this thread decodes. A decoder that keeps the bytes may take the array instead of copying them. For sending,
/// <see cref="MessageBuffer.TryDetach"/> does the same.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ReceivedArray
{
    [ThreadStatic]
    private static byte[]? t_lent;

    /// <summary>Offers an array of <see cref="Buffers.MessageMemory.Pool"/> before the message at its start is decoded.</summary>
    /// <returns>The argument for <see cref="TryReturn"/>: decoding may run code that decodes another message.</returns>
    public static byte[]? Lend(byte[] array)
    {
        var before = t_lent;
        t_lent = array;
        return before;
    }

    /// <summary>Withdraws the offer after the message was decoded, on the same thread.</summary>
    /// <returns>True if the array still belongs to its owner.</returns>
    public static bool TryReturn(byte[] array, byte[]? before)
    {
        bool isOwners = t_lent == array;
        t_lent = before;
        return isOwners;
    }

    /// <summary>Takes the array.</summary>
    /// <param name="body">The whole message.</param>
    /// <param name="array">May be returned to <see cref="Buffers.MessageMemory.Pool"/>, once.</param>
    /// <returns>False if the message is elsewhere.</returns>
    internal static bool TryTake(ReadOnlySpan<byte> body, [NotNullWhen(true)] out byte[]? array)
    {
        array = null;
        if (t_lent is not { Length: > 0 } lent || !Unsafe.AreSame(in MemoryMarshal.GetReference(body), in lent[0])) return false;
        t_lent = null;
        array = lent;
        return true;
    }
}
