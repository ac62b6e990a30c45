using Mux.Tool.Measuring;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>What all tokens of a run share. Safe for concurrent use.</summary>
/// <param name="profile">What the server's handlers do, which tells the calls whose replies are slow on purpose.</param>
/// <param name="canceller">Cancels some of the calls; null if none are.</param>
/// <param name="hasDeadline">Whether calls were given a deadline, so that it is no fault if they exceed it.</param>
internal sealed class LoadState(HandlerProfile profile, CallCanceller? canceller = null, bool hasDeadline = false)
{
    private long _cancelled;
    private long _expired;
    private readonly long[] _failures = new long[(int)MuxStatus.Unauthenticated + 1];
    private readonly TaskCompletionSource<MuxException> _lost = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isStopping;

    public RecorderSet Recorders { get; } = new();

    /// <summary>Null if no calls are cancelled.</summary>
    public CallCanceller? Canceller => canceller;

    /// <summary>Calls that the run itself has cancelled.</summary>
    public long Cancelled => Volatile.Read(ref _cancelled);

    /// <summary>Calls that exceeded the deadline that the run gave them.</summary>
    public long Expired => Volatile.Read(ref _expired);

    /// <summary>Completes with the first loss of a connection.</summary>
    public Task<MuxException> Lost => _lost.Task;

    /// <summary>Tokens make no further calls.</summary>
    public bool IsStopping => _isStopping;

    public void Stop() => _isStopping = true;

    /// <summary>Counts a reply.</summary>
    /// <param name="number">Its call's.</param>
    /// <param name="ticks">Its response time, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <param name="isRight">Whether it is what the request asks for; a wrong one is counted as a reply as well.</param>
    /// <param name="measured">What its latency is counted as.</param>
    public void RecordReply(long number, long ticks, bool isRight, Measured measured = Measured.Response)
    {
        var recorders = Recorders.Current;
        recorders[measured].Record(ticks);
        if (!isRight) recorders[measured].RecordWrongReply();
        if (profile.HasSlow) recorders[profile.IsSlow(number) ? Measured.Slow : Measured.Others].Record(ticks);
    }

    /// <summary>Counts the reply of a call that was not timed.</summary>
    public void RecordUntimedReply(bool isRight)
    {
        var responses = Recorders.Current[Measured.Response];
        responses.RecordUntimed();
        if (!isRight) responses.RecordWrongReply();
    }

    /// <summary>Counts a call that had no reply.</summary>
    /// <param name="error">What it threw.</param>
    /// <param name="isCancelled">Whether the run had cancelled it. A call that throws the same without that has failed.</param>
    public void AddFailure(Exception error, bool isCancelled = false)
    {
        if (error is MuxException failure) AddFailure(failure);
        else if (isCancelled) Interlocked.Increment(ref _cancelled);
        else Interlocked.Increment(ref _failures[(int)MuxStatus.Cancelled]);
    }

    /// <summary>Failed calls by status, those that occurred.</summary>
    public IReadOnlyDictionary<MuxStatus, long> Failures()
    {
        var failures = new SortedDictionary<MuxStatus, long>();
        for (int status = 0; status < _failures.Length; status++)
        {
            if (Volatile.Read(ref _failures[status]) is var count and > 0) failures.Add((MuxStatus)status, count);
        }

        return failures;
    }

    // The loss of a connection ends the run: over fewer connections, or new ones, it would measure something else.
    private void AddFailure(MuxException error)
    {
        if (hasDeadline && error.Status == MuxStatus.DeadlineExceeded)
        {
            Interlocked.Increment(ref _expired);
            return;
        }

        Interlocked.Increment(ref _failures[(int)error.Status]);
        if (!IsLoss(error)) return;
        Stop();
        _lost.TrySetResult(error);
    }

    // A handler may choose Unavailable as well, on a connection that is in order.
    private static bool IsLoss(MuxException error) =>
        error is { Status: MuxStatus.Unavailable, Phase: MuxCallPhase.Connect or MuxCallPhase.Queue or MuxCallPhase.Wait };
}
