namespace Mux.Buffers;

/// <summary>
/// Every byte array the engine borrows comes from here and goes back here, so that a test can see that none is left out. Rented per batch
/// of messages, not per message. Safe for concurrent use.
/// </summary>
internal static class BufferPool
{
    private static long s_outstanding;

    /// <summary>For tests: returned arrays are filled with 0xDB, so that a use after return shows.</summary>
    public static bool Poison { get; set; }

    /// <summary>Arrays rented and not yet returned, in the whole process.</summary>
    public static long Outstanding => Volatile.Read(ref s_outstanding);

    /// <summary>An array of at least <paramref name="minimumLength"/> bytes with any content.</summary>
    public static byte[] Rent(int minimumLength)
    {
        Interlocked.Increment(ref s_outstanding);
        return MessageMemory.Pool.Rent(minimumLength);
    }

    /// <summary>Takes an array back. The caller must not touch it afterwards.</summary>
    public static void Return(byte[] array)
    {
        if (Poison) array.AsSpan().Fill(0xDB);
        Interlocked.Decrement(ref s_outstanding);
        MessageMemory.Pool.Return(array);
    }

    /// <summary>Counts an array that was rented elsewhere from the same pool and is the engine's from now on.</summary>
    public static void Adopt() => Interlocked.Increment(ref s_outstanding);

    /// <summary>Takes an array out of the count that is somebody else's from now on.</summary>
    public static void Release() => Interlocked.Decrement(ref s_outstanding);
}
