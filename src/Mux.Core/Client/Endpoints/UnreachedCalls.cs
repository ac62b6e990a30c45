using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Calls that were not sent because the server was lost a moment ago: one that restarts is back within a second or two. They wait until a server is reached, or
/// until <see cref="MuxResilience.HoldTime"/> has passed since the first of them found none; then they fail as they would have, and so do later ones at once. A
/// channel that has never reached a server holds no call: an address that is wrong shows at once. Safe for concurrent use.
/// </summary>
/// <param name="route">The route of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
/// <param name="holdTime">Microseconds for which they wait; 0 for not at all.</param>
internal sealed class UnreachedCalls(DialingRoute route, long byteLimit, long holdTime) : WaitingCalls(route, byteLimit)
{
    private static readonly CallFailure s_expired = new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Connect,
        "The deadline passed while no server could be reached. The channel holds such calls for a while (HoldTime).")
    {
        IsOwnDeadline = true,
    };

    private readonly DialingRoute _route = route;
    private volatile CallFailure? _last; // what they fail with when the time is over
    private volatile bool _wasReached;
    private long _since = Clock.Never; // when the first call found no server

    protected override MuxCallPhase Phase => MuxCallPhase.Connect;

    protected override CallFailure Expired =>
        _last is { } last ? RequestFailures.AfterAttempt(s_expired, last.Text, last.Phase != MuxCallPhase.Connect) : s_expired;

    protected override long OverAt => Volatile.Read(ref _since) is not Clock.Never and var since ? since + holdTime : Clock.Never;

    /// <summary>Lets a call wait that a connection has given back because it could not send it.</summary>
    /// <param name="call">The call, with its body.</param>
    /// <param name="failure">What it fails with if no server is reached in time.</param>
    /// <returns>False if it must fail now.</returns>
    public bool TryHold(OutgoingCall call, CallFailure failure)
    {
        if (holdTime == 0 || !_wasReached) return false;
        long now = _route.Clock.Now, since = Interlocked.CompareExchange(ref _since, now, Clock.Never);
        if (since != Clock.Never && now - since >= holdTime) return false;
        _last = failure;
        if (!TryAddGivenBack(call)) return false;
        // A server that was reached since is perhaps away again, and this call was not seen here: it must not wait without a limit.
        if (Interlocked.CompareExchange(ref _since, now, Clock.Never) == Clock.Never) RequestTick();
        if (_route.IsReached) OnReached(); // a moment ago, and this call was not seen here
        else _route.Dial();
        return true;
    }

    /// <summary>A server is reached: the calls start again.</summary>
    public void OnReached()
    {
        _wasReached = true;
        Volatile.Write(ref _since, Clock.Never);
        if (Count > 0) _route.RestartAll(TakeAll());
    }

    protected override void OnTimeOver() => FailAll(_last!);

    protected override string DescribeFull(int calls, long bytes, long byteLimit) =>
        $"{calls} calls wait with {bytes} bytes for a server that cannot be reached (HoldTime); MaxQueuedBytes allows {byteLimit}. Make fewer calls " +
        "concurrently, or raise MaxQueuedBytes of the channel.";
}
