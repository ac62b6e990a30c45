using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Items;

/// <summary>Reads and writes the items of one direction of a method's streams, chosen at compile time.</summary>
internal interface IItemCodec<T>
{
    static abstract MethodDescriptor Method { get; }

    static abstract void Encode(ref MessageWriter writer, T item);

    static abstract T Decode(ReadOnlySpan<byte> body);
}
