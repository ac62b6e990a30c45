using Mux.Contracts;
using Mux.Items;
using Mux.Serialization;

namespace Mux.TestSupport.Connections;

/// <summary>Items of a stream that are bytes, of the method s/Items.</summary>
internal readonly struct BytesCodec : IItemCodec<byte[]>
{
    public static MethodDescriptor Method { get; } = new("s", "Items", MethodShape.ResponseStream, takesToken: false);

    public static void Encode(ref MessageWriter writer, byte[] item) => writer.Write(item);

    public static byte[] Decode(ReadOnlySpan<byte> body) => body.ToArray();
}
