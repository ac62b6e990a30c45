using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>The items of a method's response stream.</summary>
internal readonly struct ResponseItems<TService, TRequest, TItem, TResponse, TMethod> : IItemCodec<TResponse>
    where TService : class
    where TMethod : struct, IStreamMethod<TService, TRequest, TItem, TResponse>
{
    public static MethodDescriptor Method => TMethod.Descriptor;

    public static void Encode(ref MessageWriter writer, TResponse item) => TMethod.EncodeResponse(ref writer, item);

    public static TResponse Decode(ReadOnlySpan<byte> body) => TMethod.DecodeResponse(body);
}
