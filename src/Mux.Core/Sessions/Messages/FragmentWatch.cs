using Mux.Timing;

namespace Mux.Sessions.Messages;

/// <summary>
/// Finds messages that were begun and of which nothing more comes: they hold room, and calls without a deadline would let them for ever. Whoever sends a
/// message has it and all the credit that its rest takes, so it stands still for other messages alone; while a part of what is held comes, whatever of, all of
/// it has time.
/// </summary>
/// <remarks>
/// Looked at in the turn when <see cref="Due"/> has passed, and a quarter of the time later again (<c>InboundRequests.RefuseStalled</c>): a compare for each
/// delivery. If nothing is delivered, a tick asks the peer for a sign of life (<see cref="DecideLocked"/>), and a peer that does not answer, either, holds on
/// to its messages to harm. Written by the turn only; <see cref="Due"/> is read by anybody.
/// </remarks>
/// <param name="timeout">Microseconds between two fragments of a message.</param>
/// <param name="messageRate">Bytes per second at which a message has to come as a whole, beside that time once; 0 is none. However slowly it comes, it does not
/// hold its room for ever.</param>
internal sealed class FragmentWatch(long timeout, long messageRate = 0)
{
    /// <summary>What has to come in that time for all to have more, one part of so many of what is held: of 64 MiB, 35 KB/s in 30 s.</summary>
    private const int Part = 64;

    /// <summary>Looks at all messages follow no closer, in parts of the time.</summary>
    private const int Looks = 4;

    private long _due = Clock.Never;
    private long _arrived; // bytes of fragments
    private int _begun; // messages that are not whole
    private long _totalDue = Clock.Never; // no message has had all its time before this
    private long _nextTotalDue = Clock.Never; // the same of those that the look which is under way has left
    private bool _isWarned; // Due has passed once, and what waited then has had the time to be read
    private long _askedFor = Clock.Never; // the Due that has passed; guarded by the connection's lock, as is the next
    private long _answerDue = Clock.Never;

    public enum Decision
    {
        None,
        Ask,
        GiveUp,
    }

    public long Timeout => timeout;

    /// <summary>The time, as the batch reads it.</summary>
    public long Now { get; set; }

    /// <summary>No message has stood still for too long before this.</summary>
    public long Due => Volatile.Read(ref _due);

    /// <summary>When <see cref="DecideLocked"/> wants to be called.</summary>
    public long TickDueLocked => Due is var due && due != Clock.Never && due == _askedFor ? _answerDue : due;

    /// <summary>A message was begun that somebody wants.</summary>
    public void OnBegun(PartialMessage message)
    {
        Touch(message);
        message.BegunAt = Now;
        _totalDue = Math.Min(_begun == 0 ? Clock.Never : _totalDue, Clock.After(Now, TotalTimeOf(message)));
        if (_begun++ == 0) Restart(Clock.After(Now, timeout));
        else if (_totalDue < Due) SetDue(_totalDue);
    }

    /// <summary>Microseconds that a message may take from its first fragment to its last.</summary>
    public long TotalTimeOf(PartialMessage message) => messageRate == 0 ? Clock.Never : Clock.After(timeout, (long)message.Length * 1_000_000 / messageRate);

    /// <summary>Whether a message has had all its time.</summary>
    public bool IsOverdue(PartialMessage message) => Clock.After(message.BegunAt, TotalTimeOf(message)) <= Now;

    /// <summary>More of it came.</summary>
    public void OnFragment(PartialMessage message, int bytes)
    {
        _arrived += bytes;
        Touch(message);
        if (_begun == 1 && Now < _totalDue) Restart(Clock.After(Now, timeout)); // of several another one may be older
    }

    /// <summary>It is whole, or nobody wants it any more.</summary>
    public void OnOver()
    {
        if (--_begun == 0) Restart(Clock.Never);
    }

    /// <summary>
    /// <see cref="Due"/> has passed. When it does so first, nothing is judged: this process may have stood still, with what it looks for in the buffers of the
    /// system.
    /// </summary>
    /// <param name="isCongested">Credit may wait here to be sent: then the peer may be the one that waits.</param>
    /// <returns>Whether to look at the messages.</returns>
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

    /// <summary>Whether nothing came of a message for too long, or not all of it.</summary>
    /// <param name="message">Which somebody wants.</param>
    /// <param name="held">Bytes of room that all take.</param>
    public bool IsStalled(PartialMessage message, long held)
    {
        if (IsOverdue(message)) return true;
        bool isQuiet = Now - message.TouchedAt >= timeout;
        if (isQuiet && _arrived - message.ArrivedBefore < Math.Max(1, held / Part)) return true;
        if (isQuiet) Touch(message); // others are on their way
        _nextTotalDue = Math.Min(_nextTotalDue, Clock.After(message.BegunAt, TotalTimeOf(message)));
        return false;
    }

    /// <summary>All messages were looked at.</summary>
    /// <param name="oldest">When one that goes on was touched last; <see cref="Clock.Never"/> if there is none.</param>
    public void OnLooked(long oldest)
    {
        _totalDue = _nextTotalDue;
        if (_begun > 0) Restart(Math.Max(Clock.After(Math.Min(oldest, Now), timeout), Clock.After(Now, timeout / Looks)));
    }

    /// <summary>Time has passed, and the turn has not looked. Under the connection's lock.</summary>
    /// <param name="now">The time.</param>
    /// <param name="isReading">Bytes wait to be read: the turn will look.</param>
    /// <param name="answerTime">Microseconds that a peer has to give a sign of life.</param>
    public Decision DecideLocked(long now, bool isReading, long answerTime)
    {
        long due = Due;
        if (due > now || TickDueLocked > now) return Decision.None;
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
