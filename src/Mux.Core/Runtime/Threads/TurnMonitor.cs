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
