using Mux.Execution;

namespace Mux;

/// <summary>
/// The threads of this process that run user code which is too dear for the threads that receive (<see cref="MuxDispatch.Adaptive"/>), or that go on in the place of a receiving
/// thread that user code keeps. There are as many as work needs: a few, and one more for each that blocks. Safe for concurrent use.
/// </summary>
public static class MuxWorkers
{
    /// <summary>
    /// How many threads there may be, those that user code keeps, and those that lead an event loop in the place of one that is kept, included. When all are busy, work waits; when 65,536 pieces of it or 64 MiB wait, requests are refused
    /// with <see cref="MuxStatus.ResourceExhausted"/>, not executed; and a receiving thread that user code keeps is waited for. Lowering it ends threads that have been idle for 10 s.
    /// </summary>
    /// <value>4 to 4,096; 64 by default, or what <c>Mux.MaxWorkerThreads</c> in runtimeconfig.json says.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of its range.</exception>
    public static int MaxThreads
    {
        get => Workers.Shared.MaxThreads;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, Workers.LowestMaxThreads);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, Workers.HighestMaxThreads);
            Workers.Shared.MaxThreads = value;
        }
    }

    /// <summary>Threads there are.</summary>
    public static int Threads => Workers.Shared.Threads;

    /// <summary>Pieces of work that wait for a thread.</summary>
    public static int Waiting => Workers.Shared.Waiting;

    /// <summary>Requests that were refused because too many waited, since the start of the process.</summary>
    public static long Refused => Workers.Shared.Refused;

    /// <summary>How often another thread went on because user code kept one that receives, since the start of the process.</summary>
    public static long TakeOvers => TurnMonitor.Shared.TakenOver;

    /// <summary>How often one should have, and none was left.</summary>
    public static long TakeOversRefused => TurnMonitor.Shared.Refused;
}
