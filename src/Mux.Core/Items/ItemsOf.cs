using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Items;

/// <summary>The items of a method's streams, in both directions.</summary>
internal static class ItemsOf<TRequest, TItem, TResponse, TMethod>
    where TMethod : struct, IStreamMessages<TRequest, TItem, TResponse>
{
    /// <summary>The items of the request stream.</summary>
    internal readonly struct Request : IItemCodec<TItem>
    {
        public static MethodDescriptor Method => TMethod.Descriptor;

        public static void Encode(ref MessageWriter writer, TItem item) => TMethod.EncodeItem(ref writer, item);

        public static TItem Decode(ReadOnlySpan<byte> body) => TMethod.DecodeItem(body);
    }

    /// <summary>The items of the response stream.</summary>
    internal readonly struct Response : IItemCodec<TResponse>
    {
        public static MethodDescriptor Method => TMethod.Descriptor;

        public static void Encode(ref MessageWriter writer, TResponse item) => TMethod.EncodeResponse(ref writer, item);

        public static TResponse Decode(ReadOnlySpan<byte> body) => TMethod.DecodeResponse(body);
    }
}
