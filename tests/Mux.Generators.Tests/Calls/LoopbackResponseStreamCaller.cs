using System.Runtime.CompilerServices;
using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Calls that are answered with a stream, begun when it is enumerated.</summary>
internal sealed class LoopbackResponseStreamCaller<TService, TRequest, TItem, TResponse, TMethod>(LoopbackInvoker invoker) : ResponseStreamCaller<TRequest, TItem, TResponse>
    where TService : class
    where TMethod : struct, IResponseStreamMethod<TService, TRequest, TItem, TResponse>
{
    public override async IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Assert.True(items is null || TMethod.Descriptor.Shape == MethodShape.Duplex);
        if (items is null && TMethod.Descriptor.Shape == MethodShape.Duplex) throw LoopbackInvoker.WithoutItems;
        invoker.LastHadOptions = options is not null;
        var received = TMethod.DecodeRequest(LoopbackWire.Encode(TMethod.EncodeRequest, request));
        var sent = LoopbackWire.CarryAsync(items ?? AsyncEnumerable.Empty<TItem>(), TMethod.EncodeItem, TMethod.DecodeItem, cancellationToken);
        var replies = TMethod.Invoke((TService)invoker.Implementation, received, sent, LoopbackWire.OptionsFor<TMethod>(options), cancellationToken);
        await using var reply = LoopbackWire.CarryAsync(replies, TMethod.EncodeResponse, TMethod.DecodeResponse, cancellationToken).GetAsyncEnumerator(cancellationToken);
        while (await MoveNextAsync(reply)) yield return reply.Current;
    }

    private static async ValueTask<bool> MoveNextAsync(IAsyncEnumerator<TResponse> reply)
    {
        try
        {
            return await reply.MoveNextAsync();
        }
        catch (MuxException exception)
        {
            throw new MuxException(LoopbackWire.Carry<TMethod>(LoopbackWire.FailureOf(exception)));
        }
    }
}
