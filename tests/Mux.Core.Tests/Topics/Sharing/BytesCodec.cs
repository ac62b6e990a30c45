using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>Bytes as they are.</summary>
internal sealed class BytesCodec() : MessageCodec<byte[]>("test")
{
    public int Decoded { get; private set; }

    public override void Encode(ref MessageWriter writer, byte[] message) => writer.Write(message);

    public override byte[] Decode(ReadOnlySpan<byte> body)
    {
        Decoded++;
        return body.ToArray();
    }
}
