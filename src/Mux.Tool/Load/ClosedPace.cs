using System.Diagnostics;
using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>
/// A closed loop: each call is made as soon as the previous one has its reply. It is made within the turn that delivers the reply, so that the request is sent
/// together with those for the other replies of the turn.
/// </summary>
/// <param name="state">State of the run.</param>
/// <param name="index">Index of the token in the run, from 0.</param>
/// <param name="tokens">Number of tokens in the run.</param>
/// <param name="timeEvery">One of this many calls is timed; tokens start at different offsets.</param>
/// <param name="measured">Kind of the latencies.</param>
internal sealed class ClosedPace(LoadState state, int index, int tokens, int timeEvery, Measured measured = Measured.Response) : CallPace(state)
{
    private int _untilTimed = index % timeEvery;
    private long _startedAt; // start of the call if it is timed; otherwise 0

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

        if (!State.MayCall())
        {
            _startedAt = 0; // the token may be started again later
            return new ValueTask<bool>(false);
        }

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
            // One clock reading per call: the end of a call is the start of the next one. So the token's own work in between, some tens of nanoseconds, counts
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
