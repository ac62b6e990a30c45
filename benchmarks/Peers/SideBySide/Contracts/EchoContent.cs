using System.Buffers.Binary;

namespace SideBySide.Contracts;

/// <summary>What a caller sends to be echoed: 1 MiB whose first bytes are the number of the call.</summary>
internal static class EchoContent
{
    public const int Size = 1 << 20;

    // A prime: samples at other places of each buffer of the stacks. To compare all bytes would cost as much as to receive them.
    private const int SampleEvery = 1021;

    public static byte[] Make()
    {
        var content = new byte[Size];
        for (int i = 0; i < content.Length; i++) content[i] = (byte)((uint)i * 2_654_435_761u >> 24); // Knuth's multiplicative hash
        return content;
    }

    public static void Number(byte[] content, double number) => BinaryPrimitives.WriteDoubleLittleEndian(content, number);

    /// <summary>True if the length, the number and samples of what came back are those of what was sent.</summary>
    public static bool IsSame(ReadOnlySpan<byte> sent, ReadOnlySpan<byte> received)
    {
        if (sent.Length != received.Length || !sent[..sizeof(double)].SequenceEqual(received[..sizeof(double)]) || sent[^1] != received[^1]) return false;
        for (int i = 0; i < sent.Length; i += SampleEvery)
        {
            if (sent[i] != received[i]) return false;
        }

        return true;
    }
}
