using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>Computes the growth of the buffers of a decoder.</summary>
internal static class BufferGrowth
{
    /// <summary>Gets twice the used length, or the needed length if that is more, up to the maximum length of an array.</summary>
    /// <param name="taken">Used length of the buffer.</param>
    /// <param name="more">Length to add.</param>
    /// <param name="least">Initial length of buffers.</param>
    /// <exception cref="InvalidMessageException">The needed length exceeds the maximum length of an array.</exception>
    public static int Next(int taken, int more, int least)
    {
        long needed = (long)taken + more;
        if (needed > Array.MaxLength)
        {
            throw new InvalidMessageException($"A field of the message has {needed} items or bytes, and an array holds at most {Array.MaxLength}.");
        }

        return (int)Math.Min(Math.Max(least, Math.Max(2L * taken, needed)), Array.MaxLength);
    }
}
