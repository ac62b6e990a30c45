namespace Mux.Tool.Workloads;

/// <summary>Many bytes that tell where they belong: no two fragments of a message are alike.</summary>
internal static class BulkContent
{
    // A prime, so that the samples stand at ever other places of the fragments: some 30 in each, a thousand in a megabyte. Comparing all would cost as much as
    // receiving them.
    private const int SampleEvery = 1021;

    /// <exception cref="MuxException">The size is none that a run asks for.</exception>
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

    /// <summary>Whether bytes that came back are those that went, by their number of bytes, the number of the call at their start, and samples.</summary>
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
