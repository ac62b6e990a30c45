using System.Diagnostics;
using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>
/// Each call is made as soon as the reply to the one before is there: a closed loop. Within the turn that delivers that reply, so the request goes out with
/// those of the other replies of the turn.
/// </summary>
/// <param name="state">The run's.</param>
/// <param name="index">Which of the run's tokens it is, from 0.</param>
/// <param name="tokens">How many there are.</param>
/// <param name="timeEvery">One call in so many is timed, each token's in a turn of its own.</param>
/// <param name="measured">What its latencies are counted as.</param>
internal sealed class ClosedPace(LoadState state, int index, int tokens, int timeEvery, Measured measured = Measured.Response) : CallPace(state)
{
    private int _untilTimed = index % timeEvery;
    private long _startedAt; // of the call, if it is timed; else 0

    public override ValueTask<bool> NextAsync()
    {
        Number = Number == 0 ? index + 1 : Number + tokens;
        if (--_untilTimed >= 0)
        {
            _startedAt = 0;
        }
        else
        {
            _untilTimed = timeEvery - 1;
            if (_startedAt == 0) _startedAt = Stopwatch.GetTimestamp();
        }

        if (State.IsStopping) return new ValueTask<bool>(false);
        Open();
        return new ValueTask<bool>(true);
    }

    public override void End(bool isRight)
    {
        if (_startedAt == 0)
        {
            State.RecordUntimedReply(isRight);
        }
        else
        {
            // The one clock read of the call: where it ends the next one starts. So what the token itself does between them, some tens of nanoseconds, counts
            // as latency.
            long now = Stopwatch.GetTimestamp();
            State.RecordReply(Number, now - _startedAt, isRight, measured);
            Observe(now - _startedAt);
            _startedAt = now;
        }

        Close();
    }

    public override async ValueTask FailAsync(Exception error)
    {
        await base.FailAsync(error).ConfigureAwait(false);
        _startedAt = 0;
    }
}
