using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Calls with a stream and one reply.</summary>
internal sealed class LoopbackRequestStreamCaller<TService, TRequest, TItem, TResponse, TMethod>(LoopbackInvoker invoker) : RequestStreamCaller<TRequest, TItem, TResponse>
    where TService : class
    where TMethod : struct, IRequestStreamMethod<TService, TRequest, TItem, TResponse>
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
}
