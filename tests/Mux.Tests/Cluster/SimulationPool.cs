using System.Diagnostics;
using Mux.Runtime;

namespace Mux.Tests.Cluster;

/// <summary>The threads of the process, as a simulation on one thread sees them. Not safe for concurrent use.</summary>
internal sealed class SimulationPool
{
    // A thread of the pool may have to wait for a processor on a machine that builds.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    // Handlers that a test waits for keep their threads.
    private static readonly Workers[] s_workers = [ProcessWorkers.Engine, ProcessWorkers.Completions, ProcessWorkers.Overdue];

    private int _idleThreads = LeastBusyThreads(); // nothing has been started yet, and what ran before may still end

    /// <summary>
    /// Lets the threads of the process finish what an event has caused there, so that runs are alike, and checks do not
    /// see what is half done: an endpoint whose connection has just opened, and which its table does not know yet.
    /// </summary>
    public void AwaitIdle()
    {
        long start = Stopwatch.GetTimestamp();
        var spinner = default(SpinWait);
        // Twice: one kind of thread may have given work to another that was found idle before it.
        while (IsBusy() || IsBusy())
        {
            if (Stopwatch.GetElapsedTime(start) > s_patience) return;
            spinner.SpinOnce(sleep1Threshold: -1);
        }

        _idleThreads = Math.Min(_idleThreads, BusyThreads());
    }

    private bool IsBusy() =>
        ThreadPool.PendingWorkItemCount > 0 || BusyThreads() > _idleThreads || MuxWorkers.Waiting > 0 || s_workers.Any(static kind => kind.Waiting + kind.Busy > 0);

    private static int LeastBusyThreads()
    {
        int least = int.MaxValue;
        SpinWait.SpinUntil(
            () =>
            {
                least = Math.Min(least, BusyThreads());
                return false;
            },
            TimeSpan.FromMilliseconds(5));
        return least;
    }

    private static int BusyThreads()
    {
        ThreadPool.GetMaxThreads(out int most, out _);
        ThreadPool.GetAvailableThreads(out int available, out _);
        return most - available;
    }
}
