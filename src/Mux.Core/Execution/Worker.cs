using System.Diagnostics;

namespace Mux.Execution;

/// <summary>One thread of <see cref="Workers"/>.</summary>
#pragma warning disable CA1001 // Its thread disposes the event when it ends.
internal sealed class Worker
#pragma warning restore CA1001
{
    /// <summary>Milliseconds after which an item that waits counts as stuck: above what a cheap one takes on a busy machine.</summary>
    private const long StuckAfter = 2;

    private readonly Workers _owner;
    private readonly AutoResetEvent _wake = new(false);
    private int _thread; // the system's number of it
    private long _knownStuck = -1; // the item that the monitor found waiting

    private Worker(Workers owner) => _owner = owner;

    /// <returns>Null if the system gives no more threads.</returns>
    public static Worker? TryStart(Workers owner, ThreadStarter start, string name)
    {
        var worker = new Worker(owner);
        return start(worker.Run, name) ? worker : null;
    }

    /// <summary>The code that it runs; null while it runs none. Guarded by the owner's lock.</summary>
    public string? Code { get; set; }

    /// <summary>When it began that, in milliseconds. Guarded by the owner's lock.</summary>
    public long Since { get; set; }

    /// <summary>Which item it runs, by number. Guarded by the owner's lock.</summary>
    public long Number { get; set; }

    /// <summary>What it is to run before it looks for more. Guarded by the owner's lock.</summary>
    public IThreadPoolWorkItem? Item { get; set; }

    /// <summary>It has something to do: called when it was taken from the idle ones, or has just been started.</summary>
    public void Wake() => _wake.Set();

    /// <summary>
    /// Whether its item waits for something. One that computes is not stuck: another thread would only take from it what it needs. The monitor's; no lock is
    /// held, so the item may have ended meanwhile, which spoils one look.
    /// </summary>
    public bool IsStuck(long now)
    {
        long number = Number;
        if (_knownStuck == number) return true; // once found waiting it counts until it is done
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
            while (!_wake.WaitOne(Workers.IdleTime))
            {
                if (!_owner.TryRetire(this)) continue;
                _wake.Dispose();
                return;
            }

            while (_owner.TakeNext(this) is { } item)
            {
                Execute(item);
                traces.Remove(); // what user code has left on the thread is not for the next
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
            // Items catch what user code throws; a thread that many share must survive the rest. A loop that fails here ends the process: see TurnMonitor.
            Debug.Fail(error.ToString());
        }
    }
}
