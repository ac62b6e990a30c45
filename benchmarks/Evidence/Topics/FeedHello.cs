using System.Buffers.Binary;
using System.Text;

namespace Evidence.Topics;

/// <summary>What a bare socket sends to subscribe to a topic.</summary>
internal static class FeedHello
{
    private const int HeaderLength = 8;

    /// <param name="method">Full name of the method that returns the subscription. It has no parameters.</param>
    /// <param name="credit">Bytes that the server may send.</param>
    public static byte[] Of(string method, int credit)
    {
        const byte ResponseStream = 2;
        byte[] settings = [1, 1, 0, 0, 4, 0, 4, 0, .. BitConverter.GetBytes(credit)]; // setting 4: credit of a stream
        return [
            .. "MUX1\r\n\u001a\n"u8, .. Frame(0x01, 0, settings), .. Frame(0x05, 0, [0, 0, ResponseStream, .. Encoding.ASCII.GetBytes(method)]),
            .. Frame(0x08, 1u | 1u << 20, [0, 0, 0, 0])];
    }

    private static byte[] Frame(byte kind, uint id, byte[] payload)
    {
        byte[] frame = new byte[HeaderLength + payload.Length];
        BinaryPrimitives.WriteUInt64LittleEndian(frame, (uint)payload.Length | (ulong)kind << 24 | (ulong)id << 32);
        payload.CopyTo(frame, HeaderLength);
        return frame;
    }
}
