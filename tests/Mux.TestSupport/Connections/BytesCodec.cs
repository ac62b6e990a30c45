using Mux.Calls;
using Mux.Contracts;
using Mux.Serialization;

namespace Mux.TestSupport.Connections;

/// <summary>Items of a stream that are bytes, of the method s/Items.</summary>
internal sealed class BytesCodec : MessageCodec<byte[]>
{
    private BytesCodec()
        : base("items")
    {
    }

    public static BytesCodec Instance { get; } = new();

    public static ItemsOf<byte[]> Items { get; } = new(new MethodDescriptor("s", "Items", MethodShape.ResponseStream, takesToken: false), Instance);

    public override void Encode(ref MessageWriter writer, byte[] message) => writer.Write(message);

    public override byte[] Decode(ReadOnlySpan<byte> body) => body.ToArray();
}
