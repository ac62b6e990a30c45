using System.Threading.Tasks.Sources;

namespace Mux.Runtime;

/// <summary>
/// One wait after the other of one consumer. Like <see cref="ManualResetValueTaskSourceCore{TResult}"/>, but it has no code run by the .NET thread pool because
/// a wait ends between the look at its status and the attaching of the code behind it: handlers may block that pool, and the wait would last until it has
/// grown. Such code is left to the owner, which has threads of its own.
/// </summary>
internal struct WaitSource
{
    private const int Waiting = 0;
    private const int Attached = 1;
    private const int Ended = 2;

    private ManualResetValueTaskSourceCore<bool> _core; // completed only after code was attached to it, or by the consumer itself
    private int _stage;
    private bool _result;

    public readonly short Version => _core.Version;

    /// <summary>True if the .NET thread pool runs the code behind the wait in any case.</summary>
    public bool RunsOnPool
    {
        readonly get => _core.RunContinuationsAsynchronously;
        set => _core.RunContinuationsAsynchronously = value;
    }

    /// <summary>Begins a wait. Nothing may end it before this returns.</summary>
    public void Begin()
    {
        _core.Reset();
        Volatile.Write(ref _stage, Waiting);
    }

    /// <summary>
    /// Ends the wait, and runs the code behind it. Called once for each wait by one thread, and once more if <see cref="TryAttach"/> has returned false.
    /// </summary>
    public void End(bool result)
    {
        _result = result;
        if (Interlocked.Exchange(ref _stage, Ended) != Waiting) _core.SetResult(result);
    }

    public readonly ValueTaskSourceStatus GetStatus(short token)
    {
        var status = _core.GetStatus(token);
        return status == ValueTaskSourceStatus.Pending && Volatile.Read(in _stage) == Ended ? ValueTaskSourceStatus.Succeeded : status;
    }

    public bool GetResult(short token)
    {
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending && Volatile.Read(ref _stage) == Ended) _core.SetResult(_result); // nothing is attached
        return _core.GetResult(token);
    }

    /// <summary>Attaches the code behind the wait.</summary>
    /// <returns>False if the wait has ended before: the owner calls <see cref="End"/> once more, on a thread that may run the code.</returns>
    public bool TryAttach(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _core.OnCompleted(continuation, state, token, flags);
        return Interlocked.CompareExchange(ref _stage, Attached, Waiting) == Waiting;
    }
}
