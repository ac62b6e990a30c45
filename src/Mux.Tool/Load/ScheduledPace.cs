using System.Diagnostics;
using System.Threading.Tasks.Sources;
using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>
/// An open loop: calls are made according to the schedule of a connection. Between two calls the token is parked; the pacer, or a turn of the connection, makes
/// a due call with a parked token.
/// </summary>
/// <param name="state">State of the run.</param>
/// <param name="schedule">Schedule of its connection.</param>
internal sealed class ScheduledPace(LoadState state, LaneSchedule schedule) : CallPace(state), IValueTaskSource<bool>
{
    private ManualResetValueTaskSourceCore<bool> _parked;
    private bool _isPrepared;
    private long _intendedAt;
    private long _madeAt;
    private long _endedAt;

    /// <summary>Sets the first call, before the token is started.</summary>
    public void Prepare(in DueCall call)
    {
        Take(call);
        _isPrepared = true;
    }

    /// <summary>Makes the parked token make a call on this thread.</summary>
    public void Release(in DueCall call)
    {
        Take(call);
        Make();
        _parked.SetResult(true);
    }

    /// <summary>Makes the parked token end.</summary>
    public void Dismiss() => _parked.SetResult(false);

    public override ValueTask<bool> NextAsync()
    {
        if (_isPrepared)
        {
            _isPrepared = false;
            Make();
            return new ValueTask<bool>(true);
        }

        _parked.Reset();
        var parked = new ValueTask<bool>(this, _parked.Version);
        if (!schedule.Park(this)) return new ValueTask<bool>(false);

        // The turn that delivered the reply makes the due calls, and their requests are sent together; it may use this token.
        schedule.OnReply(_endedAt);
        return parked;
    }

    public override void End(bool isRight)
    {
        _endedAt = Stopwatch.GetTimestamp();
        State.RecordReply(Number, _endedAt - _intendedAt, isRight);
        State.Recorders.Current[Measured.Service].Record(_endedAt - _madeAt);
        Observe(_endedAt - _madeAt);
        Close();
    }

    public override async ValueTask FailAsync(Exception error)
    {
        await base.FailAsync(error).ConfigureAwait(false);
        _endedAt = Stopwatch.GetTimestamp();
    }

    bool IValueTaskSource<bool>.GetResult(short token) => _parked.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _parked.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _parked.OnCompleted(continuation, state, token, flags);

    private void Take(in DueCall call) => (Number, _intendedAt) = (call.Number, call.IntendedAt);

    private void Make()
    {
        _madeAt = Stopwatch.GetTimestamp();
        State.Recorders.Current[Measured.Lag].Record(_madeAt - _intendedAt);
        Open();
    }
}
