using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>
/// One call at a time, each made as soon as the reply to the one before is there: a closed loop. It runs in one place at a time: within the turn that delivers
/// its reply, so its next request goes out with those of the other replies of that turn.
/// </summary>
/// <param name="state">The run's.</param>
/// <param name="index">Which of the run's tokens it is, from 0.</param>
/// <param name="tokens">How many there are.</param>
internal abstract class CallToken(LoadState state, int index, int tokens)
{
    private long _number = index + 1 - tokens;
    private long _startedAt;
    private volatile bool _isOpen;

    /// <summary>Whether its call has neither been answered nor failed.</summary>
    public bool IsOpen => _isOpen;

    /// <summary>Makes calls until the run stops and its last one is answered.</summary>
    public Task RunAsync()
    {
        _startedAt = Stopwatch.GetTimestamp();
        return MakeCallsAsync();
    }

    /// <summary>For each number of <see cref="TryNext"/>: makes a call, and reports it to <see cref="End"/> or <see cref="FailAsync"/>.</summary>
    protected abstract Task MakeCallsAsync();

    /// <summary>Whether to make another call.</summary>
    /// <param name="number">1 and up, unique in the run, so that it tells whose reply a reply is.</param>
    protected bool TryNext(out long number)
    {
        number = _number += tokens;
        return _isOpen = !state.IsStopping;
    }

    /// <summary>A reply came.</summary>
    protected void End(bool isRight)
    {
        // The one clock read of the call: where it ends the next one starts. So what the token itself does between them, some tens of nanoseconds, counts as latency.
        long now = Stopwatch.GetTimestamp();
        var recorder = state.Recorders.Current;
        recorder.Record(now - _startedAt);
        if (!isRight) recorder.RecordWrongReply();
        _startedAt = now;
        _isOpen = false;
    }

    /// <summary>The call failed.</summary>
    protected async ValueTask FailAsync(MuxException error)
    {
        state.AddFailure(error);
        _isOpen = false;
        await Task.Yield(); // a call that fails at once would otherwise keep its thread to itself
        _startedAt = Stopwatch.GetTimestamp();
    }
}
