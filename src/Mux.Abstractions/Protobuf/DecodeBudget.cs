namespace Mux.Protobuf;

/// <summary>Limits what reading one outermost message may cost beyond its bytes, and counts what it has cost.</summary>
internal struct DecodeBudget
{
    // A field with a message may be repeated. It is then read into the same object, whose arrays are copied to make room. This limits the copied bytes for each
    // byte of the outermost message: with 64 KiB of such repetitions, copies would come to a gigabyte. No normal message repeats fields this way. Values from
    // an initializer are free, unless they are large.
    private const int CopiesPerByte = 64;
    private const int FreeCopies = 1024 * 1024;

    /// <summary>Bytes of objects for each byte of the outermost message.</summary>
    // An empty message takes two bytes, however large its class is, so the memory of objects is charged when they are created.
    // Examples: a list of messages with one small number has 4 bytes per item and creates 24 bytes and a reference; a map of numbers has 6 and creates 28.
    // A row of forty columns creates 344 bytes: it passes with 41 bytes of content, and 12,000 such rows pass without any.
    // Memory that is not charged is at most 16 bytes for a byte: 8 for a number, and 8 for growth; a text or array of one byte takes 48 for three.
    // So the worst message takes 24 times its bytes, and 4 MiB.
    public const int MemoryPerByte = 8;

    /// <summary>Bytes of objects that are always free.</summary>
    public const int FreeMemory = 4 * 1024 * 1024;

    // Limits the steps in hash tables whose keys an attacker may have chosen. Normal keys take about one step each; pairs of small numbers in the two halves of
    // a long take a hundred, at 6 bytes or more. A step takes two nanoseconds, so 4 MiB of chosen keys take a quarter of a second before they are rejected, in
    // however many tables and fields. A step in an immutable set or map counts as several; such a message was measured to take half a second.
    private const int StepsPerByte = 32;
    private const int FreeSteps = 4 * 1024 * 1024;

    private long _copied;
    private long _made;
    private long _steps;

    /// <summary>Charges bytes that are copied because the message adds to a value that it gave before.</summary>
    /// <returns>False if the limit is exceeded.</returns>
    public bool TryCopy(long bytes, int outermost)
    {
        _copied += bytes;
        return _copied <= FreeCopies + (long)outermost * CopiesPerByte;
    }

    /// <summary>Charges memory of objects that the message creates.</summary>
    /// <param name="bytes">Approximate number of bytes.</param>
    /// <returns>False if it exceeds the free memory: then <see cref="PaysForMemory"/> tells whether it exceeds the limit. Most messages need not know their
    /// length.</returns>
    public bool TryMake(long bytes)
    {
        _made += bytes;
        return _made <= FreeMemory;
    }

    /// <summary>True if the charged memory is within the limit.</summary>
    public readonly bool PaysForMemory(int outermost) => _made <= FreeMemory + (long)outermost * MemoryPerByte;

    /// <summary>Charges steps of hash tables.</summary>
    /// <param name="steps">Approximate number of keys with which a key is compared.</param>
    /// <param name="outermost">Length of the outermost message.</param>
    /// <returns>False if the limit is exceeded.</returns>
    public bool TryStep(long steps, int outermost)
    {
        _steps += steps;
        return _steps <= FreeSteps + (long)outermost * StepsPerByte;
    }
}
