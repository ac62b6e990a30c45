namespace Mux.Serialization;

/// <summary>What reading one outermost message may cost beyond its bytes, and what it has cost.</summary>
internal struct DecodeBudget
{
    // A member that is itself a message may come again and is then read on into the same object, whose arrays are copied to make room: bytes that may be copied
    // so, for each byte of the outermost message. Nobody writes a message that way on purpose; with 64 KiB of it, copies would come to a gigabyte.
    // What an initializer has put there is free, unless it is large.
    private const int CopiesPerByte = 64;
    private const int FreeCopies = 1024 * 1024;

    /// <summary>Bytes of objects for each byte of the outermost message.</summary>
    // Two bytes are an empty message, however large its class is; so what objects take is counted while they are made: bytes of memory for each byte of the
    // outermost message, and what is always free. A list of messages with a small number each has 4 bytes an item and makes 24 and a reference, a map of
    // numbers 6 and makes 28. A row of forty columns makes 344: it passes with 41 bytes of content, or without any beside 12,000 like it. Of what is not
    // counted a byte makes 16 at most: numbers 8, and as many to grow; texts and arrays of one byte 48 of three. So the worst message takes 24 times its bytes,
    // and 4 MiB.
    public const int MemoryPerByte = 8;

    /// <summary>Bytes of objects that are always free.</summary>
    public const int FreeMemory = 4 * 1024 * 1024;

    // Steps of hash tables whose keys somebody may have chosen. Keys that fall by themselves take about one step each, pairs of small numbers in the two halves
    // of a long a hundred, of 6 bytes or more. A step in a table is two nanoseconds, so 4 MiB of chosen keys take a quarter of a second before they are
    // refused, in however many tables and however often they come. One in an immutable set or map counts as several, and such a message was measured to take
    // half a second.
    private const int StepsPerByte = 32;
    private const int FreeSteps = 4 * 1024 * 1024;

    private long _copied;
    private long _made;
    private long _steps;

    /// <summary>Counts bytes that are copied because the message adds to what it had said before.</summary>
    /// <param name="bytes">How many.</param>
    /// <param name="outermost">The length of the outermost message.</param>
    /// <returns>False if it is too much.</returns>
    public bool TryCopy(long bytes, int outermost)
    {
        _copied += bytes;
        return _copied <= FreeCopies + (long)outermost * CopiesPerByte;
    }

    /// <summary>Counts memory of objects that the message makes.</summary>
    /// <param name="bytes">How much they take, about.</param>
    /// <returns>False if it is more than is always free: then <see cref="PaysForMemory"/> tells whether it is too much. Most messages never need to know how
    /// long they are.</returns>
    public bool TryMake(long bytes)
    {
        _made += bytes;
        return _made <= FreeMemory;
    }

    /// <summary>Whether the message pays for the memory that was counted.</summary>
    /// <param name="outermost">The length of the outermost message.</param>
    public readonly bool PaysForMemory(int outermost) => _made <= FreeMemory + (long)outermost * MemoryPerByte;

    /// <summary>Counts steps of hash tables.</summary>
    /// <param name="steps">How many keys a key is compared with, about.</param>
    /// <param name="outermost">The length of the outermost message.</param>
    /// <returns>False if it is too much.</returns>
    public bool TryStep(long steps, int outermost)
    {
        _steps += steps;
        return _steps <= FreeSteps + (long)outermost * StepsPerByte;
    }
}
