using Mux.Buffers;

namespace Mux.Runtime;

/// <summary>
/// The pool of all byte arrays that the engine rents; counting them lets tests find leaks. Arrays are rented per batch of messages, not per message.
/// Thread-safe.
/// </summary>
internal static class BufferPool
{
    private static long s_outstanding;

    /// <summary>For tests: fills returned arrays with 0xDB, so that a use after return shows.</summary>
    public static bool Poison { get; set; }

    /// <summary>Number of arrays rented and not yet returned in the process.</summary>
    public static long Outstanding => Volatile.Read(ref s_outstanding);

    /// <summary>Rents an array of at least <paramref name="minimumLength"/> bytes with undefined content.</summary>
    public static byte[] Rent(int minimumLength)
    {
        Interlocked.Increment(ref s_outstanding);
        return MessageMemory.Pool.Rent(minimumLength);
    }

    /// <summary>Returns an array. The caller must not touch it afterwards.</summary>
    public static void Return(byte[] array)
    {
        if (Poison) array.AsSpan().Fill(0xDB);
        Interlocked.Decrement(ref s_outstanding);
        MessageMemory.Pool.Return(array);
    }

    /// <summary>Counts an array that was rented elsewhere from the same pool and is now owned by the engine.</summary>
    public static void Adopt() => Interlocked.Increment(ref s_outstanding);

    /// <summary>Stops counting an array that the engine no longer owns.</summary>
    public static void Release() => Interlocked.Decrement(ref s_outstanding);
}

/// <summary>Accounts for memory that a peer makes this side hold for its connection. Thread-safe; no member calls out.</summary>
internal interface IHeldMemory
{
    /// <summary>True if the connection holds memory and should hold no more now. Exact up to concurrent changes.</summary>
    bool IsShort { get; }

    /// <summary>Adds bytes, even beyond the limit: their holder already exists.</summary>
    void Take(long bytes);

    /// <summary>Subtracts bytes.</summary>
    void Release(long bytes);
}
