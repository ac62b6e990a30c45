using Mux.Tool.Measuring;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>State shared by all tokens of a run. Thread-safe.</summary>
/// <param name="profile">Profile of the server's handlers, which identifies the calls with deliberately slow replies.</param>
/// <param name="canceller">Cancels some of the calls; null for none.</param>
/// <param name="hasDeadline">True if calls have a deadline, so that exceeding it is not a fault.</param>
/// <param name="endsAtLoss">True if the loss of a connection ends the run; false with several servers, of which the others serve on.</param>
/// <param name="cut">Ends response streams at the end of the run; null if calls have none.</param>
internal sealed class LoadState(
    HandlerProfile profile, CallCanceller? canceller = null, bool hasDeadline = false, bool endsAtLoss = true, StreamCut? cut = null)
{
    private static readonly CallLimit s_none = new(0);

    private long _cancelled;
    private long _expired;
    private readonly long[] _failures = new long[(int)MuxStatus.Unauthenticated + 1];
    private readonly MuxException?[] _examples = new MuxException?[(int)MuxStatus.Unauthenticated + 1];
    private readonly TaskCompletionSource<MuxException> _lost = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile CallLimit? _limit; // null while any number of calls may be made: the only field that the hot path reads

    public RecorderSet Recorders { get; } = new();

    /// <summary>Null if no calls are cancelled.</summary>
    public CallCanceller? Canceller => canceller;

    /// <summary>Null for calls without a response stream of a method.</summary>
    public StreamCut? Cut => cut;

    /// <summary>Number of calls that the run has cancelled.</summary>
    public long Cancelled => Volatile.Read(ref _cancelled);

    /// <summary>Number of calls that exceeded the deadline of the run.</summary>
    public long Expired => Volatile.Read(ref _expired);

    /// <summary>Completes with the first loss of a connection.</summary>
    public Task<MuxException> Lost => _lost.Task;

    /// <summary>True if tokens should make no more calls.</summary>
    public bool IsStopping => ReferenceEquals(_limit, s_none);

    public void Stop() => _limit = s_none;

    /// <summary>Lets tokens make calls again, up to a limit, after <see cref="Stop"/> and the end of all tokens.</summary>
    public void Resume(CallLimit limit)
    {
        cut?.Renew();
        _limit = limit;
    }

    /// <summary>Called by a token before each call.</summary>
    /// <returns>False if it must make no more calls.</returns>
    public bool MayCall() => _limit is not { } limit || limit.TryTake();

    /// <summary>Counts a reply.</summary>
    /// <param name="number">Number of its call.</param>
    /// <param name="ticks">Its response time, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <param name="isRight">True if it matches the request; a wrong reply is counted as a reply as well.</param>
    /// <param name="measured">Kind of the latency.</param>
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

    /// <summary>Counts a call without a reply.</summary>
    /// <param name="error">Its exception.</param>
    /// <param name="isCancelled">True if the run has cancelled it. A call that throws the same exception otherwise has failed.</param>
    public void AddFailure(Exception error, bool isCancelled = false)
    {
        if (error is MuxException failure) AddFailure(failure);
        else if (isCancelled) Interlocked.Increment(ref _cancelled);
        else if (cut is { IsMade: true }) cut.Count();
        else Interlocked.Increment(ref _failures[(int)MuxStatus.Cancelled]);
    }

    /// <summary>Gets the numbers of failed calls by status.</summary>
    public IReadOnlyDictionary<MuxStatus, long> Failures()
    {
        var failures = new SortedDictionary<MuxStatus, long>();
        for (int status = 0; status < _failures.Length; status++)
        {
            if (Volatile.Read(ref _failures[status]) is var count and > 0) failures.Add((MuxStatus)status, count);
        }

        return failures;
    }

    /// <summary>Gets the first failure of the status that most failed calls have; null if none failed with an exception of Mux.</summary>
    public MuxException? FindExample()
    {
        int most = Array.IndexOf(_failures, _failures.Max());
        return Volatile.Read(ref _examples[most]);
    }

    // The loss of a connection ends the run: with fewer or new connections it would measure something else.
    private void AddFailure(MuxException error)
    {
        if (hasDeadline && error.Status == MuxStatus.DeadlineExceeded)
        {
            Interlocked.Increment(ref _expired);
            return;
        }

        Interlocked.Increment(ref _failures[(int)error.Status]);
        _examples[(int)error.Status] ??= error;
        if (!endsAtLoss || !IsLoss(error)) return;
        Stop();
        _lost.TrySetResult(error);
    }

    // A handler may also choose Unavailable, on a working connection.
    private static bool IsLoss(MuxException error) =>
        error is { Status: MuxStatus.Unavailable, Phase: MuxCallPhase.Connect or MuxCallPhase.Queue or MuxCallPhase.Wait };
}
