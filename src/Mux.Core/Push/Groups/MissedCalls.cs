using System.Diagnostics;
using System.Text;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Push;

/// <summary>
/// What one member has missed of its groups: counted, and told at once, then once a minute for each kind, and at the end of its connection. What it missed
/// because its connection ended is told by itself, unless this side has ended the connection. Safe for concurrent use.
/// </summary>
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
    private bool _isCutShort; // calls waited at the end, which is not so of those that were made after the last could be handed over
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
        List<GroupMisses>? untold = null;
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
                all.TakeUntold(untold = []);
                all.NextReport = now + Period;
            }
        }

        if (sets) _timer.Set();
        foreach (var misses in untold ?? []) _report(misses);
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
    /// <param name="isCutShort">True if calls waited.</param>
    public void End(bool isCutShort)
    {
        lock (_gate)
        {
            (_isOver, _isCutShort) = (true, isCutShort);
            if (_holders > 0) return;
        }

        Tell();
    }

    private void Tell()
    {
        List<GroupMisses> untold = [];
        lock (_gate)
        {
            _hasEnded = true;
            var advice = AdviceOf(_connection.Life.End, _isCutShort);
            foreach (var all in _kinds) all.TakeUntold(untold, advice);
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
            if (_isEnding || _connection.HasEnded) return;
            long now = _connection.Clock.Now;
            foreach (var all in _kinds)
            {
                if (!all.HasUntold) continue;
                if (all.NextReport <= now)
                {
                    all.TakeUntold(untold);
                    all.NextReport = now + Period;
                }
                else
                {
                    next = Math.Min(next, all.NextReport);
                }
            }

            sets = _timer.IsSetForLocked(next);
        }

        if (sets) _timer.Set();
        foreach (var misses in untold) _report(misses);
    }

    /// <summary>Gets what the log adds if this side has ended the connection although calls waited; null if the peer or the network has.</summary>
    private static string? AdviceOf(ConnectionEnd? end, bool isCutShort) => end?.Reason switch
    {
        CloseReason.Drained or CloseReason.CredentialExpired when isCutShort =>
            " This side drained the connection, and its time (DrainTimeout) was over before all calls could be sent.",
        CloseReason.SlowPeer => $" This side closed the connection: {end.Text}",
        _ => null,
    };

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
        /// <param name="told">Gets it: nothing if nothing was missed since the last report.</param>
        /// <param name="endAdvice">What to say of the end of the connection if this side has ended it; otherwise null.</param>
        public void TakeUntold(List<GroupMisses> told, string? endAdvice = null)
        {
            ref long departed = ref _untold[(int)MuxMissReason.Disconnected];
            if (departed > 0 && endAdvice is null)
            {
                told.Add(new GroupMisses(_group!, departed, string.Empty, string.Empty, IsDeparture: true));
                departed = 0;
            }

            long count = _untold.Sum();
            if (count > 0) told.Add(new GroupMisses(_group!, count, Reasons(), Advice() + endAdvice, IsDeparture: false));
            Array.Clear(_untold);
        }

        private string Advice() => _untold[(int)MuxMissReason.QueueFull] + _untold[(int)MuxMissReason.Dropped] == 0
            ? string.Empty
            : " A full queue means that it takes calls slower than they are made: see MaxQueuedBytes, WhenSlow and WaitTimeout of MuxGroupOptions.";

        private string Reasons()
        {
            var reasons = new StringBuilder();
            foreach (var reason in MissReasons.All)
            {
                if (_untold[(int)reason] == 0) continue;
                if (reasons.Length > 0) reasons.Append(", ");
                reasons.Append(_untold[(int)reason]).Append(' ').Append(MissReasons.NameOf(reason));
                if (reason == MuxMissReason.Refused && _refusal is not null) reasons.Append(" (").Append(_refusal).Append(')');
            }

            return reasons.ToString();
        }
    }
}

/// <summary>What one member has missed of one kind of groups, for a log.</summary>
/// <param name="Group">The group whose call was the last.</param>
/// <param name="Count">Number of calls.</param>
/// <param name="Reasons">How many for which reason, as a text.</param>
/// <param name="Advice">What the reasons mean, and what can be done; a sentence after a space, or empty.</param>
/// <param name="IsDeparture">True if its connection has ended, and not by this side.</param>
internal sealed record GroupMisses(GroupLabel Group, long Count, string Reasons, string Advice, bool IsDeparture);
