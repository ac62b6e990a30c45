using Mux.Engine;

namespace Mux.Calls;

/// <summary>A call with a request stream and one response.</summary>
internal sealed class RequestStreamCall<TRequest, TItem, TResponse>(StreamStarter<TRequest, TItem, TResponse> starter, IAsyncEnumerable<TItem> items)
    : StreamCall<TRequest, TItem, TResponse>(starter, items)
{
    private readonly TaskCompletionSource<TResponse> _response = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TResponse> Response => _response.Task;

    public override IInboundItems? Items => null;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        TResponse response;
        try
        {
            response = Responses.Decode(body);
        }
        catch (Exception error)
        {
            var failure = UndecodableMessage.Reply(this, error);
            tally.Add(Method, failure.Status);
            OnFailed(failure, inTurn: true);
            return;
        }

        tally.Add(Method, MuxStatus.Ok);
        OnOver(MuxStatus.Ok, inTurn: true);
        _response.TrySetResult(response);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        if (TryRepeat(ref failure)) return;
        OnOver(failure.Status, inTurn);
        var error = ErrorOf(failure);
        if (error is OperationCanceledException { CancellationToken: { IsCancellationRequested: true } token }) _response.TrySetCanceled(token);
        else _response.TrySetException(error);
    }
}
