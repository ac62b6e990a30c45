using System.Runtime.CompilerServices;
using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Calls that stream. One that is answered with a stream is begun when that is enumerated.</summary>
internal sealed class LoopbackStreamCaller<TService, TRequest, TItem, TResponse, TMethod>(LoopbackInvoker invoker) : StreamCaller<TRequest, TItem, TResponse>
    where TService : class
    where TMethod : struct, IStreamMethod<TService, TRequest, TItem, TResponse>
{
    public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        invoker.LastHadOptions = options is not null;
        if (items is null) throw LoopbackInvoker.WithoutItems;
        var received = TMethod.DecodeRequest(LoopbackWire.Encode(TMethod.EncodeRequest, request));
        var carried = LoopbackWire.CarryAsync(items, TMethod.EncodeItem, TMethod.DecodeItem, cancellationToken);
        try
        {
            var result = await TMethod.InvokeAsync((TService)invoker.Implementation, received, carried, LoopbackWire.OptionsFor<TMethod>(options), cancellationToken);
            return TMethod.DecodeResponse(LoopbackWire.Encode(TMethod.EncodeResponse, result));
        }
        catch (MuxException exception)
        {
            throw new MuxException(LoopbackWire.Carry<TMethod>(LoopbackWire.FailureOf(exception)));
        }
    }

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
