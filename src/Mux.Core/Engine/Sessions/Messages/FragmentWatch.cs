using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Finds messages that were begun and get no more fragments: they hold room, and calls without a deadline would hold it forever. A sender has a message whole
/// and all the credit for its rest, so it pauses one only for other messages. While enough fragments of any message arrive, all messages have time.
/// </summary>
/// <remarks>
/// Checked in the turn when <see cref="Due"/> has passed, and once more a quarter of the time later (<c>InboundRequests.RefuseStalled</c>): one compare per
/// delivery. If nothing is delivered, a tick sends a PING (<see cref="Decide"/>), and a peer that does not answer either loses its connection. Written
/// only by the turn; <see cref="Due"/> is read by any thread.
/// </remarks>
/// <param name="timeout">Longest time between two fragments of a message, microseconds.</param>
/// <param name="messageRate">
/// Least rate of a whole message, in bytes per second, after one <paramref name="timeout"/> of grace; 0 means none. It keeps a slow message from holding its
/// room forever.
/// </param>
internal sealed class FragmentWatch(long timeout, long messageRate = 0)
{
    /// <summary>A 64th of what is held must arrive within the timeout for all messages to get more time: 35 KB/s for 64 MiB and 30 s.</summary>
    private const int Part = 64;

    /// <summary>Checks of all messages are at least a quarter of the timeout apart.</summary>
    private const int Looks = 4;

    private long _due = Clock.Never;
    private long _arrived; // bytes of all fragments
    private int _begun; // number of incomplete messages
    private long _totalDue = Clock.Never; // no message has used up its whole time before this
    private long _nextTotalDue = Clock.Never; // the same for messages that the current check has kept
    private bool _isWarned; // Due has passed once, and what waited then has had time to be read
    private long _askedFor = Clock.Never; // the Due that has passed; guarded by the connection's lock, like the next field
    private long _answerDue = Clock.Never;

    public enum Decision
    {
        None,
        Ask,
        GiveUp,
    }

    public long Timeout => timeout;

    /// <summary>The current time, as read by the batch.</summary>
    public long Now { get; set; }

    /// <summary>No message has been stalled for too long before this.</summary>
    public long Due => Volatile.Read(ref _due);

    /// <summary>Time at which <see cref="Decide"/> must be called. Under the connection's lock.</summary>
    public long TickDue => Due is var due && due != Clock.Never && due == _askedFor ? _answerDue : due;

    /// <summary>A message was begun that is wanted.</summary>
    public void OnBegun(PartialMessage message)
    {
        Touch(message);
        message.BegunAt = Now;
        _totalDue = Math.Min(_begun == 0 ? Clock.Never : _totalDue, Clock.After(Now, TotalTimeOf(message)));
        if (_begun++ == 0) Restart(Clock.After(Now, timeout));
        else if (_totalDue < Due) SetDue(_totalDue);
    }

    /// <summary>Gets the microseconds that a message may take from its first fragment to its last.</summary>
    public long TotalTimeOf(PartialMessage message) => messageRate == 0 ? Clock.Never : Clock.After(timeout, (long)message.Length * 1_000_000 / messageRate);

    /// <summary>True if a message has used up its whole time.</summary>
    public bool IsOverdue(PartialMessage message) => Clock.After(message.BegunAt, TotalTimeOf(message)) <= Now;

    /// <summary>Counts a further fragment of a message.</summary>
    public void OnFragment(PartialMessage message, int bytes)
    {
        _arrived += bytes;
        Touch(message);
        if (_begun == 1 && Now < _totalDue) Restart(Clock.After(Now, timeout)); // of several messages another one may be older
    }

    /// <summary>A message is whole, or no longer wanted.</summary>
    public void OnOver()
    {
        if (--_begun == 0) Restart(Clock.Never);
    }

    /// <summary>
    /// Decides whether to check the messages when <see cref="Due"/> has passed. The first time only warns: this process may have paused, and the missing
    /// fragments may be in the system's buffers.
    /// </summary>
    /// <param name="isCongested">True if credit may wait to be sent: then the peer may be the one that waits.</param>
    /// <returns>True if the messages must be checked.</returns>
    public bool MayJudge(bool isCongested)
    {
        if (_isWarned && !isCongested)
        {
            _nextTotalDue = Clock.Never;
            return true;
        }

        SetDue(Clock.After(Now, timeout / Looks));
        _isWarned = true;
        return false;
    }

    /// <summary>True if no fragment of a message came for too long, or if the message has used up its whole time.</summary>
    /// <param name="message">A message that is wanted.</param>
    /// <param name="held">Bytes of room that all messages take.</param>
    public bool IsStalled(PartialMessage message, long held)
    {
        if (IsOverdue(message)) return true;
        bool isQuiet = Now - message.TouchedAt >= timeout;
        if (isQuiet && _arrived - message.ArrivedBefore < Math.Max(1, held / Part)) return true;
        if (isQuiet) Touch(message); // other messages still arrive
        _nextTotalDue = Math.Min(_nextTotalDue, Clock.After(message.BegunAt, TotalTimeOf(message)));
        return false;
    }

    /// <summary>Ends a check of all messages.</summary>
    /// <param name="oldest">Time at which the oldest of the kept messages was last touched; <see cref="Clock.Never"/> if none is kept.</param>
    public void OnLooked(long oldest)
    {
        _totalDue = _nextTotalDue;
        if (_begun > 0) Restart(Math.Max(Clock.After(Math.Min(oldest, Now), timeout), Clock.After(Now, timeout / Looks)));
    }

    /// <summary>Decides when time has passed and the turn has not checked. Under the connection's lock.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="isReading">True if bytes wait to be read: the turn will check.</param>
    /// <param name="answerTime">Microseconds within which the peer must answer a PING.</param>
    public Decision Decide(long now, bool isReading, long answerTime)
    {
        long due = Due;
        if (due > now || TickDue > now) return Decision.None;
        bool isAsked = due == _askedFor;
        (_askedFor, _answerDue) = (due, Clock.After(now, answerTime));
        if (!isAsked) return Decision.Ask;
        return isReading ? Decision.None : Decision.GiveUp;
    }

    private void Touch(PartialMessage message) => (message.TouchedAt, message.ArrivedBefore) = (Now, _arrived);

    private void Restart(long due)
    {
        _isWarned = false;
        SetDue(_begun == 0 && due == Clock.Never ? due : Math.Min(due, _totalDue));
    }

    private void SetDue(long due) => Volatile.Write(ref _due, due);
}
