namespace Mux.Serialization;

/// <summary>How large the buffers of a decoder become when what they have does not suffice.</summary>
internal static class BufferGrowth
{
    /// <summary>Twice as much as was taken, or as much as is needed, up to the largest array that there is.</summary>
    /// <param name="taken">How much the buffer holds already.</param>
    /// <param name="more">How much comes now.</param>
    /// <param name="least">The size with which buffers start.</param>
    /// <exception cref="InvalidMessageException">No array holds so much.</exception>
    public static int Next(int taken, int more, int least)
    {
        long needed = (long)taken + more;
        if (needed > Array.MaxLength)
        {
            throw new InvalidMessageException($"A field of the message has {needed} items or bytes, and an array holds {Array.MaxLength}.");
        }

        return (int)Math.Min(Math.Max(least, Math.Max(2L * taken, needed)), Array.MaxLength);
    }
}
