using System.Runtime.CompilerServices;
using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Calls that stream. One that is answered with a stream is begun when that is enumerated.</summary>
internal sealed class LoopbackStreamCaller<TRequest, TItem, TResponse>(LoopbackInvoker invoker, StreamMethod<TRequest, TItem, TResponse> method) : StreamCaller<TRequest, TItem, TResponse>
{
    public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        invoker.LastHadOptions = options is not null;
        if (items is null) throw LoopbackInvoker.WithoutItems;
        var received = method.Requests.Decode(LoopbackWire.Encode(method.Requests.Encode, request));
        var carried = LoopbackWire.CarryAsync(items, method.Items.Encode, method.Items.Decode, cancellationToken);
        try
        {
            var result = await method.InvokeAsync!(invoker.Implementation, received, carried, LoopbackWire.OptionsFor(method, options), cancellationToken);
            return method.Responses.Decode(LoopbackWire.Encode(method.Responses.Encode, result));
        }
        catch (MuxException exception)
        {
            throw new MuxException(LoopbackWire.Carry(method, LoopbackWire.FailureOf(exception)));
        }
    }

    public override async IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Assert.True(items is null || method.Descriptor.Shape == MethodShape.Duplex);
        if (items is null && method.Descriptor.Shape == MethodShape.Duplex) throw LoopbackInvoker.WithoutItems;
        invoker.LastHadOptions = options is not null;
        var received = method.Requests.Decode(LoopbackWire.Encode(method.Requests.Encode, request));
        var sent = LoopbackWire.CarryAsync(items ?? AsyncEnumerable.Empty<TItem>(), method.Items.Encode, method.Items.Decode, cancellationToken);
        var replies = method.Invoke!(invoker.Implementation, received, sent, LoopbackWire.OptionsFor(method, options), cancellationToken);
        await using var reply = LoopbackWire.CarryAsync(replies, method.Responses.Encode, method.Responses.Decode, cancellationToken).GetAsyncEnumerator(cancellationToken);
        while (await MoveNextAsync(reply)) yield return reply.Current;
    }

    private async ValueTask<bool> MoveNextAsync(IAsyncEnumerator<TResponse> reply)
    {
        try
        {
            return await reply.MoveNextAsync();
        }
        catch (MuxException exception)
        {
            throw new MuxException(LoopbackWire.Carry(method, LoopbackWire.FailureOf(exception)));
        }
    }
}
