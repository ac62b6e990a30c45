namespace Mux.Connections;

/// <summary>
/// Finds messages that were begun and of which nothing more comes: they hold room, and calls without a deadline would let them for ever. Whoever sends a message has it and all the credit that its rest takes, so it stands
/// still for other messages alone; while a part of what is held comes, whatever of, all of it has time.
/// </summary>
/// <remarks>
/// Looked at in the turn when <see cref="Due"/> has passed, and a quarter of the time later again (<see cref="InboundRequests.RefuseStalled"/>): a compare for each delivery. If nothing is delivered, a tick asks the peer for a sign of life (<see cref="DecideLocked"/>), and a
/// peer that does not answer, either, holds on to its messages to harm. Written by the turn only; <see cref="Due"/> is read by anybody.
/// </remarks>
/// <param name="timeout">Microseconds between two fragments of a message.</param>
internal sealed class FragmentWatch(long timeout)
{
    /// <summary>What has to come in that time for all to have more, one part of so many of what is held: of 64 MiB, 35 KB/s in 30 s.</summary>
    private const int Part = 64;

    /// <summary>Looks at all messages follow no closer, in parts of the time.</summary>
    private const int Looks = 4;

    private long _due = Clock.Never;
    private long _arrived; // bytes of fragments
    private int _begun; // messages that are not whole
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
        if (_begun++ == 0) Restart(Clock.After(Now, timeout));
    }

    /// <summary>More of it came.</summary>
    public void OnFragment(PartialMessage message, int bytes)
    {
        _arrived += bytes;
        Touch(message);
        if (_begun == 1) Restart(Clock.After(Now, timeout)); // of several another one may be older
    }

    /// <summary>It is whole, or nobody wants it any more.</summary>
    public void OnOver()
    {
        if (--_begun == 0) Restart(Clock.Never);
    }

    /// <summary><see cref="Due"/> has passed. When it does so first, nothing is judged: this process may have stood still, with what it looks for in the buffers of the system.</summary>
    /// <param name="isCongested">Credit may wait here to be sent: then the peer may be the one that waits.</param>
    /// <returns>Whether to look at the messages.</returns>
    public bool MayJudge(bool isCongested)
    {
        if (_isWarned && !isCongested) return true;
        SetDue(Clock.After(Now, timeout / Looks));
        _isWarned = true;
        return false;
    }

    /// <summary>Whether nothing came of a message for too long.</summary>
    /// <param name="message">Which somebody wants.</param>
    /// <param name="held">Bytes of room that all take.</param>
    public bool IsStalled(PartialMessage message, long held)
    {
        if (Now - message.TouchedAt < timeout) return false;
        if (_arrived - message.ArrivedBefore < Math.Max(1, held / Part)) return true;
        Touch(message); // others are on their way
        return false;
    }

    /// <summary>All messages were looked at.</summary>
    /// <param name="oldest">When one that goes on was touched last; <see cref="Clock.Never"/> if there is none.</param>
    public void OnLooked(long oldest)
    {
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
        SetDue(due);
    }

    private void SetDue(long due) => Volatile.Write(ref _due, due);
}
