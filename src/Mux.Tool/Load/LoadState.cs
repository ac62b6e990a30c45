using Mux.Tool.Measuring;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>What all tokens of a run share. Safe for concurrent use.</summary>
/// <param name="profile">What the server's handlers do, which tells the calls whose replies are slow on purpose.</param>
internal sealed class LoadState(HandlerProfile profile)
{
    private readonly long[] _failures = new long[(int)MuxStatus.Unauthenticated + 1];
    private readonly TaskCompletionSource<MuxException> _lost = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isStopping;

    public RecorderSet Recorders { get; } = new();

    /// <summary>Completes with the first loss of a connection.</summary>
    public Task<MuxException> Lost => _lost.Task;

    /// <summary>Tokens make no further calls.</summary>
    public bool IsStopping => _isStopping;

    public void Stop() => _isStopping = true;

    /// <summary>Counts a reply.</summary>
    /// <param name="number">Its call's.</param>
    /// <param name="ticks">Its response time, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <param name="isRight">Whether it is what the request asks for; a wrong one is counted as a reply as well.</param>
    public void RecordReply(long number, long ticks, bool isRight)
    {
        var recorders = Recorders.Current;
        recorders[Measured.Response].Record(ticks);
        if (!isRight) recorders[Measured.Response].RecordWrongReply();
        if (profile.HasSlow) recorders[profile.IsSlow(number) ? Measured.Slow : Measured.Others].Record(ticks);
    }

    /// <summary>Counts the reply of a call that was not timed.</summary>
    public void RecordUntimedReply(bool isRight)
    {
        var responses = Recorders.Current[Measured.Response];
        responses.RecordUntimed();
        if (!isRight) responses.RecordWrongReply();
    }

    /// <summary>Counts a failed call. The loss of a connection ends the run: over fewer connections, or new ones, it would measure something else.</summary>
    public void AddFailure(MuxException error)
    {
        Interlocked.Increment(ref _failures[(int)error.Status]);
        if (!IsLoss(error)) return;
        Stop();
        _lost.TrySetResult(error);
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

    // A handler may choose Unavailable as well, on a connection that is in order.
    private static bool IsLoss(MuxException error) => error is { Status: MuxStatus.Unavailable, Phase: MuxPhase.Connect or MuxPhase.Queue or MuxPhase.Wait };
}
