namespace Mux.Tool.Workloads;

/// <summary>Large contents in which no two fragments of a message are alike.</summary>
internal static class BulkContent
{
    // A prime, so that samples are at different positions of the fragments: some 30 in each, a thousand in a megabyte. Comparing all bytes would cost as much
    // as receiving them.
    private const int SampleEvery = 1021;

    /// <exception cref="MuxException">The size is not one that a run requests.</exception>
    public static byte[] Make(int size)
    {
        if (size < 0 || size > WorkloadTraits.MaxMessageBytes)
        {
            throw new MuxException(MuxStatus.InvalidArgument, $"{size} bytes are not between 0 and {WorkloadTraits.MaxMessageBytes}.");
        }

        var content = new byte[size];
        for (int i = 0; i < size; i++) content[i] = (byte)((uint)i * 2_654_435_761u >> 24); // Knuth's multiplicative hash
        return content;
    }

    /// <summary>True if received bytes match the sent ones, by their length, the number of the call at their start, and samples.</summary>
    public static bool IsSame(ReadOnlySpan<byte> sent, ReadOnlySpan<byte> received)
    {
        if (sent.Length != received.Length || sent.IsEmpty) return sent.Length == received.Length;
        if (EchoNumber.Read(sent) != EchoNumber.Read(received) || sent[^1] != received[^1]) return false;
        for (int i = 0; i < sent.Length; i += SampleEvery)
        {
            if (sent[i] != received[i]) return false;
        }

        return true;
    }
}
