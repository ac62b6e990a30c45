using System.Diagnostics;

namespace Mux.Runtime;

/// <summary>
/// One thread per process that checks every few milliseconds whether user code keeps a turn, and then lets another thread continue it. Also checks whether the
/// workers are stuck, so that more are needed. Sleeps while there are no turns.
/// </summary>
internal sealed class TurnMonitor
{
    /// <summary>Microseconds between two looks while nothing blocks: code counts as blocked after one to two of them.</summary>
    private const int QuietTick = 4_000;

    /// <summary>Microseconds between two looks if something blocked recently or work waits for a worker.</summary>
    private const int BusyTick = 500;

    /// <summary>Number of busy ticks after something blocked: one second.</summary>
    private const int BusyTicks = 2_000;

    /// <summary>Number of ticks without a turn after which the monitor sleeps: 200 ms.</summary>
    private const int TicksToSleep = 50;

    /// <summary>Microseconds that code may compute after the monitor has found it computing.</summary>
    private const long LongestRun = 2_000;

    private readonly Lock _gate = new();
    private readonly Workers _leaders;
    private readonly Workers[] _ticked;
    private readonly ReportThread _reports = new(EngineThread.TryStart);
    private Turn[] _turns = []; // copied on write under the gate
    private bool _isStarted;
    private int _busyTicks;
    private int _idleTicks;
    private long _takenOver;
    private long _refused;

    private TurnMonitor(Workers leaders, params Workers[] ticked)
    {
        _leaders = leaders;
        _ticked = ticked;
    }

    public static TurnMonitor Shared { get; } = new(
        ProcessWorkers.Leaders, ProcessWorkers.Handlers, ProcessWorkers.Completions, ProcessWorkers.Callbacks, ProcessWorkers.Overdue);

    /// <summary>For tests: takes over all user code that it sees, as fast as it can look.</summary>
    public static volatile bool Torture;

    /// <summary>Number of turns taken over since the start of the process.</summary>
    public long TakenOver => Volatile.Read(ref _takenOver);

    /// <summary>Number of turns that could not be taken over at once because no thread was left; they were when one was free again.</summary>
    public long Refused => Volatile.Read(ref _refused);

    public void Register(Turn turn)
    {
        lock (_gate)
        {
            Volatile.Write(ref _turns, [.. _turns, turn]);
            if (_isStarted) return;
            _isStarted = EngineThread.TryStart(Run, "Mux monitor"); // otherwise the next turn tries again
        }
    }

    public void Remove(Turn turn)
    {
        lock (_gate) Volatile.Write(ref _turns, Array.FindAll(_turns, other => other != turn));
    }

    private void Run()
    {
        while (true)
        {
            if (Torture) Thread.SpinWait(20);
            else Pause.Microseconds(_busyTicks > 0 ? BusyTick : QuietTick);
            if (_busyTicks > 0) _busyTicks--;
            bool isActive = false;
            var turns = Volatile.Read(ref _turns);
            foreach (var turn in turns) isActive |= Look(turn);
            QueueWatch.OfProcess.Look(turns);
            long now = Environment.TickCount64;
            foreach (var workers in _ticked)
            {
                if (!workers.OnTick(now)) continue;
                isActive = true;
                _busyTicks = Math.Max(_busyTicks, TicksToSleep);
            }

            PeriodicChecks.OfProcess.OnTick(now);
            isActive |= PostponedSends.OfProcess.OnTick() | UserCodeQueue.OfProcess.OnTick(now);
            if (MonitorSignals.IsShortOfLeaders)
            {
                _leaders.OnTick(now); // the system may have a thread again for a loop that waits for one
                MonitorSignals.IsShortOfLeaders = _leaders.IsShort;
                isActive = true;
            }

            if (isActive) _idleTicks = 0;
            else if (++_idleTicks > TicksToSleep) Sleep();
        }
    }

    private void Sleep()
    {
        _idleTicks = 0;
        MonitorSignals.Sleep(HasWork);
    }

    private bool HasWork()
    {
        foreach (var turn in Volatile.Read(ref _turns))
        {
            if (!TurnRight.IsIdle(turn.Word)) return true;
        }

        if (PostponedSends.OfProcess.IsWatching || UserCodeQueue.OfProcess.IsWaiting) return true;
        return MonitorSignals.IsShortOfLeaders || _ticked.Any(workers => workers.Waiting > 0);
    }

    /// <returns>True if the turn was used since the last look.</returns>
    private bool Look(Turn turn)
    {
        ulong word = turn.Word;
        bool isNew = word != turn.SeenWord;
        if (TurnRight.IsInUser(word) && (Torture || (!isNew && IsKept(turn, word)))) TakeOver(turn, word);
        else if (!isNew && TurnRight.IsIdle(word) && !turn.Thread.IsAlive) Remove(turn);
        turn.SeenWord = word;
        return isNew || !TurnRight.IsIdle(word);
    }

    /// <summary>
    /// True if user code keeps the turn because it waits or computes. A runnable thread without a processor would be no faster on another thread; on a busy
    /// machine, nearly all turns that seem stuck are such.
    /// </summary>
    private static bool IsKept(Turn turn, ulong word)
    {
        if (ThreadUsage.IsWaiting(turn.ThreadNumber)) return true;
        if (ThreadUsage.ProcessorTimeOf(turn.ThreadNumber) is not { } time) return true;
        if (turn.Suspect.Word == word) return time - turn.Suspect.ProcessorTime >= LongestRun;
        turn.Suspect = (word, time);
        return false;
    }

    private void TakeOver(Turn turn, ulong word)
    {
        if (turn.AskedWord == word) return; // a worker is on its way
        if (turn.Host is not { CanHandOver: true } host) return;
        bool isFirst = turn.RefusedWord != word;
        var code = turn.Code;
        _busyTicks = BusyTicks;
        turn.AskedWord = word;
        bool isComing = _leaders.TryRun(new TakeOverItem(this, turn, word), waits: true);
        MonitorSignals.IsShortOfLeaders |= _leaders.IsShort;
        if (!isComing && isFirst && turn.Word == word)
        {
            turn.RefusedWord = word;
            code?.OnTakenOver(waits: true);
            Interlocked.Increment(ref _refused);
            Report(host, code, refused: true);
        }
    }

    /// <summary>Runs on a worker reserved for this.</summary>
    private void OnTakenOver(Turn turn)
    {
        Interlocked.Increment(ref _takenOver);
        Remove(turn);
        turn.Code?.OnTakenOver(waits: ThreadUsage.IsWaiting(turn.ThreadNumber));
        Report(turn.Host!, turn.Code, refused: false);
        try
        {
            Turn.Succeed(turn);
        }
        catch (Exception error)
        {
            // A loop that cannot continue would leave all its connections hanging silently.
            Environment.FailFast("A receiving thread of Mux failed and cannot continue.", error);
        }
    }

    /// <summary>
    /// Reports on another thread, because the receiver may write logs that block. That a turn cannot be taken over comes on a thread of its own if there is
    /// one, because the .NET pool is likely to be blocked as well: one at a time, as such turns may be many.
    /// </summary>
    private void Report(ITurnHost host, Placement? code, bool refused)
    {
        if (refused && !_reports.IsTelling) _reports.Tell(Tell);
        else ReportThread.TellOnPool(Tell);

        void Tell() => host.OnBlocked(code, refused);
    }

    private sealed class TakeOverItem(TurnMonitor monitor, Turn turn, ulong word) : IThreadPoolWorkItem
    {
        public void Execute()
        {
            // If the turn is pinned, the word is the same again a moment later: ask again then.
            if (turn.TryTakeOver(word)) monitor.OnTakenOver(turn);
            else if (turn.AskedWord == word) turn.AskedWord = 0;
        }
    }
}

/// <summary>
/// Signals between the monitor of turns and the code it watches. Turns, placements and workers use them without knowing the monitor, which knows all of them.
/// </summary>
/// <remarks>
/// No wake-up is lost: a turn stores its word, then reads <see cref="s_asleep"/>; the monitor stores <see cref="s_asleep"/>, makes every core pass a barrier,
/// then reads the words. One of the two sees the other's store, and turns only pay a plain load.
/// </remarks>
internal static class MonitorSignals
{
    private static AutoResetEvent? s_wake; // written before s_asleep; without an initializer, so that no use pays for a check of it
    private static volatile bool s_asleep;
    private static volatile bool s_isShortOfLeaders;

    /// <summary>
    /// True if nearly all threads that could take over a turn are in use. User code then runs on the other workers whatever it costs, so that a thread is left
    /// for code that is already in a turn. Written by the monitor.
    /// </summary>
    public static bool IsShortOfLeaders
    {
        get => s_isShortOfLeaders;
        set => s_isShortOfLeaders = value;
    }

    /// <summary>Wakes the monitor because a turn has begun or work waits for a worker. Called after the store that says so.</summary>
    public static void WakeIfAsleep()
    {
        if (s_asleep) Wake();
    }

    /// <summary>Blocks the monitor until there is work.</summary>
    /// <param name="hasWork">Checks for work once more, after the monitor counts as asleep.</param>
    public static void Sleep(Func<bool> hasWork)
    {
        s_wake ??= new AutoResetEvent(false); // lives as long as the process
        s_asleep = true;
        Interlocked.MemoryBarrierProcessWide();
        if (!hasWork()) EngineThread.Await(s_wake, Timeout.InfiniteTimeSpan);
        s_asleep = false; // also after a signal that was left from before
    }

    private static void Wake()
    {
        s_asleep = false;
        s_wake!.Set();
    }
}

/// <summary>
/// Decides which thread has a turn: the one that began it, or, while that one is in user code, another one that claims it. Exactly one of them succeeds.
/// </summary>
/// <remarks>
/// <para>The owner writes one word, sequence &lt;&lt; 2 | phase: Idle -> Owned -> InUser -> Owned. The sequence grows with every entry into user code; a word
/// repeats only when a pin is released, which is the same entry. Another thread writes the word that it has seen into the claim.</para>
/// <para>The owner does this for every call, the other thread almost never, so the owner pays only a store and a load: it stores that it is out of user code,
/// then reads the claim. The other thread stores its claim, makes every core pass a barrier, then reads the word. At least one of the two sees the other's
/// store, and whichever sees it settles the claim by a compare-and-swap. An atomic instruction per call would be 3 % of a small call.</para>
/// </remarks>
internal struct TurnRight
{
    private const ulong PhaseMask = 3;
    private const ulong Idle = 0;
    private const ulong Owned = 1;
    private const ulong InUser = 2;
    private const ulong Taken = 3; // only in a claim
    private const ulong NextEntry = 4;

    private static readonly Lock s_claims = new(); // one claim at a time: of two for the same word, one could take what the owner has refused the other

    private ulong _word; // written by the owner
    private ulong _claim; // 0; a word that another thread claims; or that word with the phase Taken, for good
    private ulong _entry; // the word of the last entry into user code

    /// <summary>The current word. Any thread.</summary>
    public readonly ulong Word => Volatile.Read(in _word);

    /// <summary>True if the owner runs no user code. For the owner.</summary>
    public readonly bool IsOwned => (_word & PhaseMask) == Owned && !IsTaken;

    /// <summary>True if another thread has the turn, for good. Any thread.</summary>
    public readonly bool IsTaken => (Volatile.Read(in _claim) & PhaseMask) == Taken;

    public static bool IsIdle(ulong word) => (word & PhaseMask) == Idle;

    public static bool IsInUser(ulong word) => (word & PhaseMask) == InUser;

    /// <summary>Begins the turn.</summary>
    public void Begin() => Volatile.Write(ref _word, _word & ~PhaseMask | Owned);

    /// <summary>Ends the turn. The owner has it, and is out of user code.</summary>
    public void End() => Volatile.Write(ref _word, _word & ~PhaseMask | Idle);

    /// <summary>Enters user code: from now on the turn may be taken.</summary>
    public void EnterUser()
    {
        Debug.Assert((_word & PhaseMask) == Owned);
        _entry = (_word & ~PhaseMask) + NextEntry | InUser;
        Volatile.Write(ref _word, _entry);
    }

    /// <summary>Leaves user code, or keeps the turn from being taken until <see cref="Unpin"/>.</summary>
    /// <returns>False if another thread has taken the turn.</returns>
    public bool TryLeaveUser()
    {
        Volatile.Write(ref _word, _entry & ~PhaseMask | Owned);
        return Volatile.Read(ref _claim) == 0 || TryRefuseClaim();
    }

    /// <summary>Is in user code again, at the same entry as before <see cref="TryLeaveUser"/>.</summary>
    public void Unpin() => Volatile.Write(ref _word, _entry);

    /// <summary>Takes the turn from its owner if that is still in the user code that it entered at <paramref name="word"/>. Any thread.</summary>
    public bool TryTake(ulong word)
    {
        lock (s_claims)
        {
            if (Interlocked.CompareExchange(ref _claim, word, 0) != 0) return false;
            Interlocked.MemoryBarrierProcessWide();
            if (Volatile.Read(ref _word) == word && Interlocked.CompareExchange(ref _claim, word | Taken, word) == word) return true;
            Interlocked.CompareExchange(ref _claim, 0, word); // unless the owner has refused it
            return false;
        }
    }

    private bool TryRefuseClaim()
    {
        while (true)
        {
            ulong claim = Volatile.Read(ref _claim);
            if ((claim & PhaseMask) == Taken) return false;
            if (claim == 0 || Interlocked.CompareExchange(ref _claim, 0, claim) == claim) return true;
        }
    }
}
