using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Items;

/// <summary>The items of a method's request stream.</summary>
internal readonly struct RequestItems<TRequest, TItem, TResponse, TMethod> : IItemCodec<TItem>
    where TMethod : struct, IStreamMessages<TRequest, TItem, TResponse>
{
    public static MethodDescriptor Method => TMethod.Descriptor;

    public static void Encode(ref MessageWriter writer, TItem item) => TMethod.EncodeItem(ref writer, item);

    public static TItem Decode(ReadOnlySpan<byte> body) => TMethod.DecodeItem(body);
}
