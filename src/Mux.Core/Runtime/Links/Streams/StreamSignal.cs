using System.Threading.Tasks.Sources;

namespace Mux.Runtime;

/// <summary>Completion of one stream operation at a time, without an allocation per operation.</summary>
internal sealed class StreamSignal : IValueTaskSource<int>, IValueTaskSource
{
    private ManualResetValueTaskSourceCore<int> _core;

    /// <summary>Starts an operation. The previous one must have been awaited.</summary>
    public ValueTask<int> Begin()
    {
        _core.Reset();
        return new(this, _core.Version);
    }

    /// <summary>Starts an operation whose result does not matter.</summary>
    public ValueTask BeginWithoutResult()
    {
        _core.Reset();
        return new(this, _core.Version);
    }

    /// <param name="result">Result of the operation.</param>
    /// <param name="isInPlace">True to run the continuation on this thread, which must not be inside a call of a stream; false to use the thread pool.</param>
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
