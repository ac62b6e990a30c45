using System.Diagnostics;

namespace Mux.Execution;

/// <summary>
/// One thread's running of one delivery of a connection, and the duty to flush that comes with it. User code in it (handlers, continuations) only appends to
/// the connection; the turn sends once when it ends. What it appends to other connections is sent at the end of the batch too (<see cref="Defers"/>).
/// </summary>
/// <remarks>
/// <para>User code may keep the thread for ever. So everything another thread needs to go on stands here before user code is entered, and the right to the turn
/// is one word: sequence &lt;&lt; 2 | phase, Idle -> Owned -> InUser -> {Owned, TakenOver}. The thread leaves user code by a compare-and-swap, a thread that
/// wants to go on takes the turn by another on the same value, and exactly one of them succeeds. The sequence grows with every entry into user code: a word
/// comes back only where a pin is taken off, which is the same entry.</para>
/// <para>All members belong to the thread of the turn, but for those that say otherwise. After <see cref="TryLeaveUser"/> has returned false the turn and the
/// receiving side of the connection are another thread's, and nothing of them may be touched.</para>
/// </remarks>
internal sealed class Turn
{
    private const ulong PhaseMask = 3;
    private const ulong Idle = 0;
    private const ulong Owned = 1;
    private const ulong InUser = 2;
    private const ulong TakenOver = 3;
    private const ulong NextEntry = 4;

    [ThreadStatic]
    private static Turn? t_current;

    [ThreadStatic]
    private static Turn? t_ofThread; // kept for the thread's next delivery

    private readonly bool _isNested;
    private readonly ThreadTraces _traces;
    private ulong _word = Idle;
    private ulong _entry; // the word as it is while the user code runs that was entered last
    private Turn? _outer;
    private ITurnHost? _host;
    private ExecutionContext? _context;
    private SynchronizationContext? _synchronization;
    private List<ITurnHost> _marked = []; // whose flush is owed when the batch ends; the turn's, or with it a successor's
    private List<ITurnHost> _flushing = [];

    private Turn(bool isNested)
    {
        _isNested = isNested;
        Thread = Thread.CurrentThread;
        ThreadNumber = ThreadUsage.ThreadNumber();
        _traces = ThreadTraces.OfCurrent();
        TurnMonitor.Shared.Register(this);
    }

    /// <summary>The turn this thread is in, or null.</summary>
    public static Turn? Current => t_current;

    /// <summary>Whose delivery this thread runs, or null, also when another thread has gone on with it.</summary>
    public static ITurnHost? Owner => t_current is { } turn && !turn.IsTakenOver ? turn._host : null;

    public Thread Thread { get; }

    /// <summary>By which the system knows the thread; see <see cref="ThreadUsage"/>.</summary>
    public int ThreadNumber { get; }

    /// <summary>What user code runs, or ran last.</summary>
    public Placement? Code { get; private set; }

    /// <summary>What user code in this turn costs.</summary>
    public CostWindow Costs { get; } = new();

    /// <summary>How much of the delivery is dealt with, the frame included whose user code runs: where another thread would go on.</summary>
    public int Position { get; set; }

    /// <summary>Whether another thread has gone on, as far as this thread has noticed: true once <see cref="TryLeaveUser"/> was false.</summary>
    public bool IsLost { get; private set; }

    /// <summary>For the monitor, which owns it: the word at its last look.</summary>
    public ulong SeenWord { get; set; }

    /// <summary>For the monitor: the word at which it found the thread ready to run and not waiting, and the time that the thread had run by then.</summary>
    public (ulong Word, long ProcessorTime) Suspect { get; set; }

    /// <summary>For the monitor: the word at which a worker was sent to take over.</summary>
    public ulong AskedWord { get; set; }

    /// <summary>For the monitor: the word at which there was no worker to send.</summary>
    public ulong RefusedWord { get; set; }

    /// <summary>Any thread.</summary>
    public ulong Word => Volatile.Read(ref _word);

    /// <summary>Whether this thread has the turn and runs no user code in it.</summary>
    public bool IsOwned => (Volatile.Read(ref _word) & PhaseMask) == Owned;

    private bool IsTakenOver => (Volatile.Read(ref _word) & PhaseMask) == TakenOver;

    public static bool IsIdle(ulong word) => (word & PhaseMask) == Idle;

    public static bool IsInUser(ulong word) => (word & PhaseMask) == InUser;

    /// <summary>Begins a delivery.</summary>
    public static Turn Enter(ITurnHost host)
    {
        var outer = t_current; // where a transport is pumped from inside user code
        var turn = outer is null ? t_ofThread ??= new Turn(isNested: false) : new Turn(isNested: true);
        turn._host = host;
        turn._outer = outer;
        turn._context = ExecutionContext.Capture();
        turn._synchronization = SynchronizationContext.Current; // where a test pumps its transport, the test's
        turn.Position = 0;
        Volatile.Write(ref turn._word, turn._word & ~PhaseMask | Owned);
        t_current = turn;
        TurnMonitor.Shared.WakeIfAsleep(); // behind the store of the word: see there
        return turn;
    }

    /// <summary>Ends the delivery.</summary>
    public void Leave()
    {
        t_current = _outer;
        _outer = null;
        _context = null;
        if (IsLost)
        {
            if (t_ofThread == this) t_ofThread = null; // its successor may look at it still
            return;
        }

        _host = null;
        _traces.RemoveFromThread(); // once per delivery and not per call: to ask for them costs some 30 ns
        Volatile.Write(ref _word, _word & ~PhaseMask | Idle);
        if (_isNested) TurnMonitor.Shared.Remove(this);
    }

    /// <summary>User code is about to run. Everything that a successor needs has been written.</summary>
    /// <param name="code">By what its cost is kept; null if nothing is decided by it.</param>
    /// <param name="runs">For how many messages.</param>
    public void EnterUser(Placement? code, int runs = 1)
    {
        Debug.Assert((_word & PhaseMask) == Owned);
        Code = code;
        Costs.Count(code, runs);
        _entry = (_word & ~PhaseMask) + NextEntry | InUser;
        Volatile.Write(ref _word, _entry);
    }

    /// <summary>User code has returned: takes back what it left on the thread.</summary>
    /// <returns>False when another thread has gone on meanwhile. Whoever runs the turn asks <see cref="IsLost"/>.</returns>
    public bool TryLeaveUser()
    {
        RestoreContext();
        if (Interlocked.CompareExchange(ref _word, _entry & ~PhaseMask | Owned, _entry) == _entry) return true;
        IsLost = true;
        return false;
    }

    /// <summary>An exception left user code past <see cref="TryLeaveUser"/>.</summary>
    /// <returns>False when another thread has gone on.</returns>
    public bool TryRecover() => !IsLost && ((Volatile.Read(ref _word) & PhaseMask) == Owned || TryLeaveUser());

    /// <summary>
    /// Called by what wants to go on in the place of the turn's thread: takes the turn, if user code still runs that was entered at <paramref name="word"/>.
    /// Any thread.
    /// </summary>
    public bool TryTakeOver(ulong word) => Interlocked.CompareExchange(ref _word, word & ~PhaseMask | TakenOver, word) == word;

    /// <summary>Whose delivery it is. Any thread that has taken the turn over, or is about to (then it may change).</summary>
    public ITurnHost? Host => Volatile.Read(ref _host);

    /// <summary>On the thread that has taken <paramref name="lost"/> over: takes what it owed and goes on where it was.</summary>
    public static void Succeed(Turn lost)
    {
        Debug.Assert(t_current is null);
        var own = t_ofThread ??= new Turn(isNested: false);
        own._marked.AddRange(lost._marked);
        lost._marked = [];
        lost.Host!.GoOn(lost.Position);
    }

    /// <summary>Whether this thread runs a delivery of the host, and so owns its receiving side and will flush it.</summary>
    public static bool IsOwner(ITurnHost host) => Owner == host;

    /// <summary>
    /// Whether what was appended to the host is sent without the caller's help, because this thread, or one that goes on in its place, flushes it at the end of
    /// the batch. The host's lock is held, and was when the bytes were appended: a successor flushes under the lock too, so it finds them.
    /// </summary>
    /// <param name="host">Appended to.</param>
    /// <param name="markedBy">The host's, guarded by its lock: the turn that has said so last; null once it was flushed.</param>
    public static bool Defers(ITurnHost host, ref Turn? markedBy)
    {
        if (t_current is not { _isNested: false } turn) return IsOwner(host);
        if (turn._host == host || markedBy == turn) return !turn.IsTakenOver;
        if (turn._host is not { CanHandOver: true }) return false; // nobody would send it if the code blocked
        using var pin = turn.Pin();
        if (!pin.IsOwner) return false;
        turn._marked.Add(host);
        markedBy = turn;
        return true;
    }

    /// <summary>Ends a batch: sends what was appended to other hosts meanwhile. In no turn, on the thread that delivered.</summary>
    public static void FlushMarked()
    {
        if (t_current is null) t_ofThread?.FlushOwn(); // else the thread's turn is further up, in user code, and what it owes is not this batch's
    }

    /// <summary>The same within a turn, outside user code.</summary>
    public void FlushOwn()
    {
        while (_marked.Count > 0)
        {
            (_marked, _flushing) = (_flushing, _marked); // a flush may complete calls, whose contexts may append again
            foreach (var host in _flushing) host.Flush();
            _flushing.Clear();
        }
    }

    /// <summary>
    /// Keeps the turn from being taken over until the result is disposed. For code that user code called and that touches what belongs to the turn.
    /// </summary>
    public PinnedTurn Pin()
    {
        if (IsLost) return default;
        if ((Volatile.Read(ref _word) & PhaseMask) == Owned) return new PinnedTurn(this, wasInUser: false);
        return Interlocked.CompareExchange(ref _word, _entry & ~PhaseMask | Owned, _entry) == _entry ? new PinnedTurn(this, wasInUser: true) : default;
    }

    /// <summary>Takes back <see cref="Pin"/>.</summary>
    public void Unpin() => Volatile.Write(ref _word, _entry);

    /// <summary>Pins this thread's turn, if it is the host's.</summary>
    public static PinnedTurn PinOf(ITurnHost host) => t_current is { } turn && turn._host == host ? turn.Pin() : default;

    /// <summary>
    /// Takes back what user code left on the thread (async locals, culture, activity, synchronization context), which would otherwise be seen by the next call
    /// of the batch, another caller's.
    /// </summary>
    public void RestoreContext()
    {
        if (_context is { } context && ExecutionContext.Capture() != context) ExecutionContext.Restore(context);
        if (SynchronizationContext.Current != _synchronization) SynchronizationContext.SetSynchronizationContext(_synchronization);
    }
}
