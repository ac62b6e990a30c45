using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Items;

/// <summary>The items of a method's response stream.</summary>
internal readonly struct ResponseItems<TRequest, TItem, TResponse, TMethod> : IItemCodec<TResponse>
    where TMethod : struct, IStreamMessages<TRequest, TItem, TResponse>
{
    public static MethodDescriptor Method => TMethod.Descriptor;

    public static void Encode(ref MessageWriter writer, TResponse item) => TMethod.EncodeResponse(ref writer, item);

    public static TResponse Decode(ReadOnlySpan<byte> body) => TMethod.DecodeResponse(body);
}
