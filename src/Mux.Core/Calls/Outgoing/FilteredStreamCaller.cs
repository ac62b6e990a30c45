using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Makes calls of one method that streams and has filters, on one channel. Safe for concurrent use.</summary>
internal sealed class FilteredStreamCaller<TRequest, TItem, TResponse>(
    StreamCaller<TRequest, TItem, TResponse> inner, StreamMethod<TRequest, TItem, TResponse> method, FilterPlan plan, FilterSettings settings)
    : StreamCaller<TRequest, TItem, TResponse>
{
    /// <summary>Makes the calls after their filters.</summary>
    public StreamCaller<TRequest, TItem, TResponse> Inner => inner;

    public StreamMethod<TRequest, TItem, TResponse> Method => method;

    public FilterPlan Plan => plan;

    public FilterSettings Settings => settings;

    public override string Endpoint => inner.Endpoint;

    public override void OnCallbackFailed(string callback, Exception error) => inner.OnCallbackFailed(callback, error);

    public override ValueTask<TResponse> CallAsync(
        TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        return new FilteredStreamCall<TRequest, TItem, TResponse>(this, request, items, options, cancellationToken).TakeReplyAsync();
    }

    public override IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken) =>
        new Stream(this, request, items, options, cancellationToken);

    /// <summary>A call that is made when it is enumerated.</summary>
    private sealed class Stream(
        FilteredStreamCaller<TRequest, TItem, TResponse> caller,
        TRequest request,
        IAsyncEnumerable<TItem>? items,
        MuxCallOptions? options,
        CancellationToken cancellationToken) : IAsyncEnumerable<TResponse>
    {
        public IAsyncEnumerator<TResponse> GetAsyncEnumerator(CancellationToken enumerationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            enumerationToken.ThrowIfCancellationRequested();
            var call = new FilteredStreamCall<TRequest, TItem, TResponse>(caller, request, items, options, cancellationToken, enumerationToken);
            return call.Enumerate();
        }
    }
}
