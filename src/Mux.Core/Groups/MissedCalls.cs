using System.Diagnostics;
using System.Text;
using Mux.Connections;
using Mux.Diagnostics;
using Mux.Timing;

namespace Mux.Groups;

/// <summary>What one member has missed of its groups: counted, and told at once and then once a minute for each kind. Safe for concurrent use.</summary>
internal sealed class MissedCalls
{
    private const long Period = 60_000_000; // microseconds between two reports

    private readonly Connection _connection;
    private readonly Action<GroupMisses> _report;
    private readonly LooseTimer _timer;
    private readonly Lock _gate = new(); // guards what is below; no other lock is taken, and nothing is told, while it is held
    private readonly List<OfKind> _kinds = [];
    private int _holders; // threads that hand over calls
    private bool _isEnding;
    private bool _isOver; // it ends as soon as no thread hands over calls
    private bool _hasEnded;

    /// <param name="connection">The connection of the member.</param>
    /// <param name="report">Gets what is to be told. Called without locks; must not wait.</param>
    public MissedCalls(Connection connection, Action<GroupMisses> report)
    {
        (_connection, _report) = (connection, report);
        _timer = new LooseTimer(connection.Clock, _gate, OnDue);
    }

    /// <summary>The member has missed calls.</summary>
    /// <param name="kind">The kind of their group.</param>
    /// <param name="group">Their group.</param>
    /// <param name="reason">Why.</param>
    /// <param name="refusal">What the member said, if it refused them.</param>
    public void Add(GroupKind kind, GroupLabel group, MuxMissReason reason, string? refusal = null)
    {
        kind.Counters.OnMissed(reason);
        GroupMisses? misses = null;
        bool sets = false;
        lock (_gate)
        {
            var all = FindLocked(kind);
            all.Add(group, reason, refusal);
            if (!_hasEnded && (_isEnding || _connection.HasEnded)) return; // the end tells all of them together
            long now = _connection.Clock.Now;
            if (!_hasEnded && all.NextReport > now)
            {
                sets = _timer.IsSetForLocked(all.NextReport);
            }
            else
            {
                misses = all.TakeUntold();
                all.NextReport = now + Period;
            }
        }

        if (sets) _timer.Set();
        if (misses is not null) _report(misses);
    }

    /// <summary>The connection has ended: what is missed from now on is told together by <see cref="End"/>.</summary>
    public void BeginEnd()
    {
        lock (_gate) _isEnding = true;
    }

    /// <summary>A thread hands over calls, and may find that the member misses them: the end waits for it.</summary>
    public void Hold()
    {
        lock (_gate) _holders++;
    }

    public void LetGo()
    {
        bool isLast;
        lock (_gate) isLast = --_holders == 0 && _isOver;
        if (isLast) Tell();
    }

    /// <summary>All calls that waited are counted. What was missed is told, together with what threads still hold.</summary>
    public void End()
    {
        lock (_gate)
        {
            _isOver = true;
            if (_holders > 0) return;
        }

        Tell();
    }

    private void Tell()
    {
        List<GroupMisses> untold;
        lock (_gate)
        {
            _hasEnded = true;
            untold = [.. _kinds.Select(static all => all.TakeUntold()).OfType<GroupMisses>()];
        }

        _timer.End();
        foreach (var misses in untold) _report(misses);
    }

    private OfKind FindLocked(GroupKind kind)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        foreach (var all in _kinds)
        {
            if (ReferenceEquals(all.Kind, kind)) return all;
        }

        var made = new OfKind(kind);
        _kinds.Add(made);
        return made;
    }

    private void OnDue()
    {
        List<GroupMisses> untold = [];
        long next = Clock.Never;
        bool sets;
        lock (_gate)
        {
            _timer.OnFiredLocked();
            if (_isEnding || _connection.HasEnded) return;
            long now = _connection.Clock.Now;
            foreach (var all in _kinds)
            {
                if (all.NextReport <= now && all.TakeUntold() is { } misses)
                {
                    untold.Add(misses);
                    all.NextReport = now + Period;
                }
                else if (all.HasUntold)
                {
                    next = Math.Min(next, all.NextReport);
                }
            }

            sets = _timer.IsSetForLocked(next);
        }

        if (sets) _timer.Set();
        foreach (var misses in untold) _report(misses);
    }

    /// <summary>What was missed of one kind of groups.</summary>
    private sealed class OfKind(GroupKind kind)
    {
        private readonly long[] _untold = new long[MissReasons.Length];
        private string? _refusal; // what the member said when it last refused a call
        private GroupLabel? _group; // whose call was missed last

        public GroupKind Kind => kind;

        /// <summary>When it may be told again, on the clock of the connection.</summary>
        public long NextReport { get; set; }

        public bool HasUntold => Array.Exists(_untold, static count => count > 0);

        public void Add(GroupLabel group, MuxMissReason reason, string? refusal)
        {
            (_group, _refusal) = (group, refusal ?? _refusal);
            _untold[(int)reason]++;
        }

        /// <summary>Takes what is to be told.</summary>
        /// <returns>Null if nothing was missed since the last report.</returns>
        public GroupMisses? TakeUntold()
        {
            long count = _untold.Sum();
            if (count == 0) return null;
            var reasons = new StringBuilder();
            foreach (var reason in MissReasons.All)
            {
                if (_untold[(int)reason] == 0) continue;
                if (reasons.Length > 0) reasons.Append(", ");
                reasons.Append(_untold[(int)reason]).Append(' ').Append(MissReasons.NameOf(reason));
                if (reason == MuxMissReason.Refused && _refusal is not null) reasons.Append(" (").Append(_refusal).Append(')');
            }

            bool isDeparture = count == _untold[(int)MuxMissReason.Disconnected];
            Array.Clear(_untold);
            return new GroupMisses(_group!, count, reasons.ToString(), isDeparture);
        }
    }
}

/// <summary>What one member has missed of one kind of groups, for a log.</summary>
/// <param name="Group">The group whose call was the last.</param>
/// <param name="Count">Number of calls.</param>
/// <param name="Reasons">How many for which reason, as a text.</param>
/// <param name="IsDeparture">True if the end of its connection is the only reason.</param>
internal sealed record GroupMisses(GroupLabel Group, long Count, string Reasons, bool IsDeparture);
