using Mux.Runtime;

namespace Mux.Engine;

/// <summary>Deadlines of the calls that are open. Guarded by the connection's lock.</summary>
internal sealed class OutgoingDeadlines(Session session)
{
    private DeadlineTable? _table; // created by the first call with a deadline

    public long NextDueLocked => _table?.NextDue ?? Clock.Never;

    /// <summary>Sets the deadline of a call that has just opened in its slot, or clears that of the call before.</summary>
    public void SetLocked(OutgoingCall call)
    {
        session.AssertLocked();
        if (call.Due == Clock.Never && _table is null) return;
        _table ??= new DeadlineTable();
        _table.Set(call.Id.Slot, call.Due);
        session.RequestTickLocked(call.Due);
    }

    /// <inheritdoc cref="DeadlineTable.TakeExpired"/>
    public int TakeExpiredLocked(long now, Span<int> slots)
    {
        session.AssertLocked();
        return _table is null ? 0 : _table.TakeExpired(now, slots);
    }
}
