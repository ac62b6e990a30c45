using System.Diagnostics;
using Mux.Execution;

namespace Mux.Tests.Cluster;

/// <summary>The threads of the process, as a simulation on one thread sees them. Not safe for concurrent use.</summary>
internal sealed class SimulationPool
{
    // A thread of the pool may have to wait for a processor on a machine that builds.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private int _idleThreads = int.MaxValue;

    /// <summary>
    /// Lets the pool's threads finish what an event has caused there, so that runs are alike. No check rests on that.
    /// </summary>
    public void AwaitIdle()
    {
        long start = Stopwatch.GetTimestamp();
        var spinner = default(SpinWait);
        while (ThreadPool.PendingWorkItemCount > 0 || BusyThreads() > _idleThreads || MuxWorkers.Waiting > 0 || AreWorkersBusy())
        {
            if (Stopwatch.GetElapsedTime(start) > s_patience) return;
            spinner.SpinOnce(sleep1Threshold: -1);
        }

        _idleThreads = Math.Min(_idleThreads, BusyThreads());
    }

    private static bool AreWorkersBusy() => ProcessWorkers.Completions.Busy + ProcessWorkers.Overdue.Busy > 0;

    private static int BusyThreads()
    {
        ThreadPool.GetMaxThreads(out int most, out _);
        ThreadPool.GetAvailableThreads(out int available, out _);
        return most - available;
    }
}
