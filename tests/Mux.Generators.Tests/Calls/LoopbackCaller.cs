using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Calls with one request and one reply.</summary>
internal sealed class LoopbackCaller<TService, TRequest, TResponse, TMethod>(LoopbackInvoker invoker) : MethodCaller<TRequest, TResponse>
    where TService : class
    where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>
{
    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken)
    {
        invoker.LastHadOptions = false;
        return SendAsync(request, null, cancellationToken);
    }

    public override async ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) => await CallAsync(request, cancellationToken);

    public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        invoker.LastHadOptions = true;
        return SendAsync(request, options, cancellationToken);
    }

    public override async ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        await CallAsync(request, options, cancellationToken);
    }

    private async ValueTask<TResponse> SendAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        var requestBytes = LoopbackWire.Encode(TMethod.EncodeRequest, request);
        var received = TMethod.DecodeRequest(requestBytes);
        TResponse result;
        try
        {
            result = await TMethod.InvokeAsync((TService)invoker.Implementation, received, LoopbackWire.OptionsFor<TMethod>(options), cancellationToken);
            if (TMethod.FailureOf(result) is { } failure) return Fail(failure);
        }
        catch (MuxException exception)
        {
            return Fail(LoopbackWire.FailureOf(exception));
        }

        var responseBytes = LoopbackWire.Encode(TMethod.EncodeResponse, result);
        invoker.LastSizes = (requestBytes.Length, responseBytes.Length);
        return TMethod.DecodeResponse(responseBytes);
    }

    private static TResponse Fail(MuxFailure failure)
    {
        var carried = LoopbackWire.Carry<TMethod>(failure);
        return TMethod.ReturnsResult ? TMethod.ToResult(carried) : throw new MuxException(carried);
    }
}
