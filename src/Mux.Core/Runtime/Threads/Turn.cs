using System.Diagnostics;

namespace Mux.Runtime;

/// <summary>
/// The run of one delivery of a connection on one thread, with the duty to flush. User code in it (handlers, continuations) only appends to the connection; the
/// turn sends once when it ends. Bytes appended to other connections are also sent at the end of the batch (<see cref="Defers"/>).
/// </summary>
/// <remarks>
/// <para>User code may keep the thread for ever. So everything that a successor needs is stored here before user code is entered, and <see cref="TurnRight"/>
/// decides between the thread that leaves user code and a successor.</para>
/// <para>All members belong to the thread of the turn, except where stated. Once <see cref="TryLeaveUser"/> has returned false, the turn and the receiving side
/// of the connection belong to another thread and must not be touched.</para>
/// </remarks>
internal sealed class Turn
{
    [ThreadStatic]
    private static Turn? t_current;

    [ThreadStatic]
    private static Turn? t_ofThread; // kept for the next delivery of the thread

    private readonly bool _isNested;
    private readonly ThreadTraces _traces;
    private bool _reportsWaits; // see OnThreadWaits
    private TurnRight _right;
    private Turn? _outer;
    private ITurnHost? _host;
    private ExecutionContext? _context;
    private SynchronizationContext? _synchronization;
    private List<ITurnHost> _marked = []; // hosts to flush when the batch ends; owned by the turn or its successor
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

    /// <summary>The host whose delivery this thread runs. Null if there is none or another thread has taken over.</summary>
    public static ITurnHost? Owner => t_current is { } turn && !turn._right.IsTaken ? turn._host : null;

    public Thread Thread { get; }

    /// <summary>The system's number of the thread; see <see cref="ThreadUsage"/>.</summary>
    public int ThreadNumber { get; }

    /// <summary>The user code that runs or ran last.</summary>
    public Placement? Code { get; private set; }

    /// <summary>Measures the rounds of the thread, if it serves many hosts.</summary>
    public RoundTime Rounds { get; } = new();

    /// <summary>Measures the cost of user code in this turn.</summary>
    public CostWindow Costs { get; } = new();

    /// <summary>How much of the delivery is processed, including the frame whose user code runs: a successor continues here.</summary>
    public int Position { get; set; }

    /// <summary>True if nothing else waits for this thread: its host is the only one with input.</summary>
    public bool IsAlone { get; private set; }

    /// <summary>True if this thread has noticed that another one took over: set once <see cref="TryLeaveUser"/> returns false.</summary>
    public bool IsLost { get; private set; }

    /// <summary>Owned by the monitor: the word at its last look.</summary>
    public ulong SeenWord { get; set; }

    /// <summary>Owned by the monitor: the word at which it found the thread runnable rather than waiting, and the processor time of the thread then.</summary>
    public (ulong Word, long ProcessorTime) Suspect { get; set; }

    /// <summary>Owned by the monitor: the word at which a worker was sent to take over.</summary>
    public ulong AskedWord { get; set; }

    /// <summary>Owned by the monitor: the word at which no worker was available.</summary>
    public ulong RefusedWord { get; set; }

    /// <summary>The current word. Thread-safe.</summary>
    public ulong Word => _right.Word;

    /// <summary>True if this thread has the turn and runs no user code in it.</summary>
    public bool IsOwned => _right.IsOwned;

    /// <summary>Starts a delivery.</summary>
    public static Turn Enter(ITurnHost host)
    {
        var outer = t_current; // set if a transport is pumped from inside user code
        var turn = outer is null ? t_ofThread ??= new Turn(isNested: false) : new Turn(isNested: true);
        turn._host = host;
        turn._outer = outer;
        turn._context = ExecutionContext.Capture();
        turn._synchronization = SynchronizationContext.Current; // that of the test if a test pumps its transport
        turn.Position = 0;
        if (!turn._reportsWaits) turn.Costs.ForgetUsage();
        turn._right.Begin();
        t_current = turn;
        MonitorSignals.WakeIfAsleep(); // after the store of the word: see there
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
            if (t_ofThread == this) t_ofThread = null; // its successor may still read it
            return;
        }

        _host = null;
        _traces.RemoveFromThread(); // once per delivery, not per call: the check costs some 30 ns
        _right.End();
        if (_isNested) TurnMonitor.Shared.Remove(this);
    }

    /// <summary>Enters user code. Everything that a successor needs must have been stored.</summary>
    /// <param name="code">Placement that the cost is charged to; null if there is none.</param>
    /// <param name="runs">Number of messages.</param>
    public void EnterUser(Placement? code, int runs = 1)
    {
        if (Code != code) Code = code; // a store of a reference tells the garbage collector, which costs more than the look
        Costs.Count(code, runs);
        _right.EnterUser();
    }

    /// <summary>Leaves user code and restores the thread's context.</summary>
    /// <returns>False if another thread has taken over. The code that runs the turn checks <see cref="IsLost"/>.</returns>
    public bool TryLeaveUser()
    {
        RestoreContext();
        if (_right.TryLeaveUser()) return true;
        IsLost = true;
        return false;
    }

    /// <summary>Recovers after an exception left user code past <see cref="TryLeaveUser"/>.</summary>
    /// <returns>False if another thread has taken over.</returns>
    public bool TryRecover() => !IsLost && (_right.IsOwned || TryLeaveUser());

    /// <summary>Takes over the turn if the user code entered at <paramref name="word"/> still runs. Called by the successor; thread-safe.</summary>
    public bool TryTakeOver(ulong word) => _right.TryTake(word);

    /// <summary>The host of the delivery. For the thread that has taken the turn over, or is about to (the value may then change).</summary>
    public ITurnHost? Host => Volatile.Read(ref _host);

    /// <summary>Continues <paramref name="lost"/> on the thread that has taken it over, with the flushes that it owed.</summary>
    public static void Succeed(Turn lost)
    {
        Debug.Assert(t_current is null);
        var own = t_ofThread ??= new Turn(isNested: false);
        own.IsAlone = false; // it is not known what else waits
        own._marked.AddRange(lost._marked);
        lost._marked = [];
        lost.Host!.GoOn(lost.Position);
    }

    /// <summary>True if this thread runs a delivery of the host, so it owns its receiving side and will flush it.</summary>
    public static bool IsOwner(ITurnHost host) => Owner == host;

    /// <summary>
    /// True if the bytes appended to the host are sent without the caller's help: this thread, or its successor, flushes the host at the end of the batch. The
    /// caller holds the host's lock, and held it when the bytes were appended; a successor flushes under that lock too, so it finds them.
    /// </summary>
    /// <param name="host">The host that was appended to.</param>
    /// <param name="markedBy">Field of the host, guarded by its lock: the turn that promised this last; null once it is flushed.</param>
    public static bool Defers(ITurnHost host, ref Turn? markedBy) =>
        t_current is { } turn && (turn._host == host || markedBy == turn ? !turn._right.IsTaken : turn.TryMark(host, ref markedBy));

    private bool TryMark(ITurnHost host, ref Turn? markedBy)
    {
        if (_isNested || _host is not { CanHandOver: true }) return false; // without a successor, blocked code would keep the bytes unsent
        using var pin = Pin();
        if (!pin.IsOwner) return false;
        _marked.Add(host);
        markedBy = this;
        return true;
    }

    /// <summary>
    /// This thread is about to wait for input. A thread that reports all its waits is measured across its deliveries; of other threads, those in a delivery.
    /// </summary>
    public static void OnThreadWaits()
    {
        if (t_ofThread is not { } turn) return;
        turn._reportsWaits = true;
        turn.Costs.ForgetUsage();
        turn.Rounds.Rest();
    }

    /// <summary>This thread found no input, and may look again before it waits.</summary>
    public static void OnNoInput() => t_ofThread?.Rounds.Rest();

    /// <summary>This thread is about to deliver to so many hosts.</summary>
    public static void OnInput(int hosts)
    {
        if (t_ofThread is not { } turn) return;
        turn.IsAlone = hosts == 1;
        turn.Rounds.Begin();
    }

    /// <summary>Ends a batch outside a turn, on the thread that delivered: sends the bytes appended to other hosts.</summary>
    public static void FlushMarked()
    {
        if (t_current is null) t_ofThread?.FlushOwn(); // otherwise the thread's turn is further up the stack, in user code, and its flushes are not due yet
    }

    /// <summary>Ends a batch within a turn, outside user code.</summary>
    public void FlushOwn()
    {
        while (_marked.Count > 0)
        {
            (_marked, _flushing) = (_flushing, _marked); // a flush may complete calls whose code appends again
            foreach (var host in _flushing) host.Flush();
            _flushing.Clear();
        }
    }

    /// <summary>
    /// Keeps the turn from being taken over until the result is disposed. For engine code that user code called and that touches the turn's state.
    /// </summary>
    public PinnedTurn Pin()
    {
        if (IsLost) return default;
        if (_right.IsOwned) return new PinnedTurn(this, wasInUser: false);
        return _right.TryLeaveUser() ? new PinnedTurn(this, wasInUser: true) : default;
    }

    /// <summary>Releases a <see cref="Pin"/>.</summary>
    public void Unpin() => _right.Unpin();

    /// <summary>Pins this thread's turn if it belongs to the host.</summary>
    public static PinnedTurn PinOf(ITurnHost host) => t_current is { } turn && turn._host == host ? turn.Pin() : default;

    /// <summary>
    /// Restores what user code changed on the thread (async locals, culture, activity, synchronization context): the next call of the batch may be another
    /// caller's.
    /// </summary>
    public void RestoreContext()
    {
        if (_context is { } context && ExecutionContext.Capture() != context) ExecutionContext.Restore(context);
        if (SynchronizationContext.Current != _synchronization) SynchronizationContext.SetSynchronizationContext(_synchronization);
    }
}

/// <summary>Result of <see cref="Turn.Pin"/>: until it is disposed, the turn stays with this thread if it was this thread's.</summary>
internal readonly ref struct PinnedTurn(Turn turn, bool wasInUser)
{
    /// <summary>True if this thread owns the turn.</summary>
    public bool IsOwner => turn is not null;

    public void Dispose()
    {
        if (wasInUser) turn.Unpin();
    }
}

/// <summary>A connection whose deliveries run in turns.</summary>
internal interface ITurnHost
{
    /// <summary>True if <see cref="GoOn"/> is supported.</summary>
    bool CanHandOver { get; }

    /// <summary>
    /// Continues the delivery after <paramref name="position"/>, and all else that its thread had to do, on the calling thread, which has taken over the turn.
    /// </summary>
    void GoOn(int position);

    /// <summary>Sends the bytes appended in a turn of another host that had promised to flush them.</summary>
    void Flush();

    /// <summary>
    /// Reports that user code has kept a turn so long that another thread has taken over, or (<paramref name="refused"/>) that no thread was left to do so.
    /// </summary>
    void OnBlocked(Placement? code, bool refused);
}
