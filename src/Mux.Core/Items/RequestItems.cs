using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>The items of a method's request stream.</summary>
internal readonly struct RequestItems<TService, TRequest, TItem, TResponse, TMethod> : IItemCodec<TItem>
    where TService : class
    where TMethod : struct, IStreamMethod<TService, TRequest, TItem, TResponse>
{
    public static MethodDescriptor Method => TMethod.Descriptor;

    public static void Encode(ref MessageWriter writer, TItem item) => TMethod.EncodeItem(ref writer, item);

    public static TItem Decode(ReadOnlySpan<byte> body) => TMethod.DecodeItem(body);
}
