using System.Diagnostics;

namespace Mux.Runtime;

/// <summary>One thread of <see cref="Workers"/>.</summary>
#pragma warning disable CA1001 // The worker's thread disposes the event when it ends.
internal sealed class Worker
#pragma warning restore CA1001
{
    /// <summary>Milliseconds after which a waiting item counts as stuck: more than a cheap item takes on a busy machine.</summary>
    private const long StuckAfter = 2;

    private readonly Workers _owner;
    private readonly AutoResetEvent _wake = new(false);
    private int _thread; // the system's number of the thread
    private long _knownStuck = -1; // the item that the monitor found waiting

    private Worker(Workers owner) => _owner = owner;

    /// <returns>Null if the system has no more threads.</returns>
    public static Worker? TryStart(Workers owner, ThreadStarter start, string name)
    {
        var worker = new Worker(owner);
        return start(worker.Run, name) ? worker : null;
    }

    /// <summary>Name of the running code, or null. Guarded by the owner's lock.</summary>
    public string? Code { get; set; }

    /// <summary>Start of the running item, in milliseconds. Guarded by the owner's lock.</summary>
    public long Since { get; set; }

    /// <summary>Number of the running item. Guarded by the owner's lock.</summary>
    public long Number { get; set; }

    /// <summary>Item to run before the worker looks for more. Guarded by the owner's lock.</summary>
    public IThreadPoolWorkItem? Item { get; set; }

    /// <summary>Wakes the worker after it was taken from the idle ones or has just been started.</summary>
    public void Wake() => _wake.Set();

    /// <summary>
    /// True if the worker's item waits for something. An item that computes is not stuck: another thread would only compete for its core. Called by the monitor
    /// without a lock, so the item may have ended meanwhile, which spoils only one look.
    /// </summary>
    public bool IsStuck(long now)
    {
        long number = Number;
        if (_knownStuck == number) return true; // once found waiting, it counts until it is done
        if (now - Since < StuckAfter || !ThreadUsage.IsWaiting(_thread)) return false;
        _knownStuck = number;
        return true;
    }

    private void Run()
    {
        _thread = ThreadUsage.ThreadNumber();
        var traces = ThreadTraces.OfCurrent();
        while (true)
        {
            while (!EngineThread.Await(_wake, Workers.IdleTime))
            {
                if (!_owner.TryRetire(this)) continue;
                _wake.Dispose();
                return;
            }

            while (TakeNext() is { } item)
            {
                Execute(item);
                traces.Remove(); // the next item must not see what user code left on the thread
            }
        }
    }

    private IThreadPoolWorkItem? TakeNext()
    {
        while (true)
        {
            try
            {
                return _owner.TakeNext(this);
            }
            catch (ThreadInterruptedException)
            {
                // User code had its thread interrupted when it waited for nothing: the lock of the owner has thrown, before it was taken.
            }
        }
    }

    private static void Execute(IThreadPoolWorkItem item)
    {
        try
        {
            item.Execute();
        }
        catch (Exception error)
        {
            // Items catch exceptions of user code; a shared thread must survive all others. A loop that fails here ends the process: see TurnMonitor.
            Debug.Fail(error.ToString());
        }
    }
}

/// <summary>Starts a background thread: <see cref="EngineThread.TryStart"/>, or a replacement in tests.</summary>
/// <returns>False if the system has no more threads.</returns>
internal delegate bool ThreadStarter(Action run, string name);
