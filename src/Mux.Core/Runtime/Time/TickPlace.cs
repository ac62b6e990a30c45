namespace Mux.Runtime;

/// <summary>
/// The place of a member in the ticker. One that waits to begin joins when something is due: a client may have a thousand servers that are away, and each tick
/// looks at each member. A field of its member, not copied. Guarded by the member's lock, except where it says otherwise.
/// </summary>
/// <param name="ticker">The ticker.</param>
internal struct TickPlace(Ticker ticker)
{
    private long _due = Clock.Never;
    private bool _isAway;

    /// <summary>Time of the next tick. Any thread.</summary>
    public readonly long Due => Volatile.Read(in _due);

    /// <summary>Joins the ticker. The lock need not be held.</summary>
    public void Join(ITicked member)
    {
        _isAway = false;
        ticker.Add(member);
    }

    /// <summary>Joins the ticker when something is due. Called before anything is.</summary>
    public void JoinWhenDue() => _isAway = true;

    /// <summary>Leaves the ticker. The lock need not be held.</summary>
    public readonly void Leave(ITicked member) => ticker.Remove(member);

    /// <summary>Requests a tick, unless there is an earlier one.</summary>
    public void Request(ITicked member, long due)
    {
        if (due < _due) Set(member, due);
    }

    /// <summary>Sets the next tick.</summary>
    public void Set(ITicked member, long due)
    {
        Volatile.Write(ref _due, due);
        if (due == Clock.Never) return;
        if (_isAway) Join(member);
        else ticker.Request(due);
    }
}
