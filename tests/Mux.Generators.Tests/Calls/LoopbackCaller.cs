using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Calls with one request and one reply.</summary>
internal sealed class LoopbackCaller<TRequest, TResponse>(LoopbackInvoker invoker, UnaryMethod<TRequest, TResponse> method) : MethodCaller<TRequest, TResponse>
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
        var requestBytes = LoopbackWire.Encode(method.Requests.Encode, request);
        var received = method.Requests.Decode(requestBytes);
        TResponse result;
        try
        {
            result = await method.Invoke(invoker.Implementation, received, LoopbackWire.OptionsFor(method, options), cancellationToken);
            if (method.Responses.FailureOf(result) is { } failure) return Fail(failure);
        }
        catch (MuxException exception)
        {
            return Fail(LoopbackWire.FailureOf(exception));
        }

        var responseBytes = LoopbackWire.Encode(method.Responses.Encode, result);
        invoker.LastSizes = (requestBytes.Length, responseBytes.Length);
        return method.Responses.Decode(responseBytes);
    }

    private TResponse Fail(MuxFailure failure)
    {
        var carried = LoopbackWire.Carry(method, failure);
        return method.Responses.HoldsFailures ? method.Responses.FromFailure(carried) : throw new MuxException(carried);
    }
}
