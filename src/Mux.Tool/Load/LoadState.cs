using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>What all tokens of a run share. Safe for concurrent use.</summary>
internal sealed class LoadState
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
