using System.Threading.Tasks.Sources;

namespace Mux.Transports.Streams;

/// <summary>The end of one operation of a stream at a time, without an allocation for each.</summary>
internal sealed class StreamSignal : IValueTaskSource<int>, IValueTaskSource
{
    private ManualResetValueTaskSourceCore<int> _core;

    /// <summary>Begins an operation. The last one was awaited.</summary>
    public ValueTask<int> Begin()
    {
        _core.Reset();
        return new(this, _core.Version);
    }

    /// <summary>The same operation for whom its result does not matter.</summary>
    public ValueTask BeginWithoutResult()
    {
        _core.Reset();
        return new(this, _core.Version);
    }

    /// <param name="result">Of the operation.</param>
    /// <param name="isInPlace">Whether what waits for it goes on on this thread, which is in nobody's call of a stream, and else on the thread pool.</param>
    public void Complete(int result, bool isInPlace)
    {
        _core.RunContinuationsAsynchronously = !isInPlace;
        using var delivery = StreamScope.BeginDelivery();
        _core.SetResult(result);
    }

    public void Fail(Exception error)
    {
        _core.RunContinuationsAsynchronously = true;
        _core.SetException(error);
    }

    int IValueTaskSource<int>.GetResult(short token) => _core.GetResult(token);

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _core.GetStatus(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
