using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>The items of one direction of a method's streams, as their receiver knows them.</summary>
/// <param name="method">The method.</param>
/// <param name="codec">Reads the items.</param>
internal sealed class ItemsOf<T>(MethodDescriptor method, MessageCodec<T> codec)
{
    public MethodDescriptor Method => method;

    public MessageCodec<T> Codec => codec;

    public AwaitedCode Awaited { get; } = AwaitedCode.OfStreams(method, method.FullName);
}
