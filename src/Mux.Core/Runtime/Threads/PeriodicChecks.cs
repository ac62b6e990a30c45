using System.Runtime.InteropServices;

namespace Mux.Runtime;

/// <summary>
/// Runs checks about once a second while there are turns, for what user code may change without telling, such as the level of a log. An idle process runs none,
/// and needs no timer for them. Thread-safe.
/// </summary>
/// <param name="start">Starts a run on another thread: <see cref="ReportThread.TellOnPool"/>, or a replacement in tests.</param>
internal sealed class PeriodicChecks(Action<Action> start)
{
    private const int Interval = 1_000; // milliseconds

    private readonly Lock _gate = new();
    private Action[] _checks = []; // copied on write under the gate
    private long _next; // of the monitor's thread
    private volatile bool _isRunning; // a check that blocks holds one thread of the .NET pool, not more every second

    /// <summary>Those of the process, which <see cref="TurnMonitor"/> drives.</summary>
    public static PeriodicChecks OfProcess { get; } = new(ReportThread.TellOnPool);

    /// <summary>Adds a check, which may be user code.</summary>
    public void Add(Action check)
    {
        lock (_gate) Volatile.Write(ref _checks, [.. _checks, check]);
    }

    public void Remove(Action check)
    {
        lock (_gate)
        {
            int index = Array.IndexOf(_checks, check);
            if (index >= 0) Volatile.Write(ref _checks, [.. _checks[..index], .. _checks[(index + 1)..]]);
        }
    }

    /// <summary>Starts a run of the checks if it is time and the last run is over. On the monitor's thread.</summary>
    /// <param name="now">Milliseconds.</param>
    public void OnTick(long now)
    {
        if (now < _next || _isRunning) return;
        _next = now + Interval;
        if (Volatile.Read(ref _checks).Length == 0) return;
        _isRunning = true;
        start(Run);
    }

    private void Run()
    {
        try
        {
            foreach (var check in Volatile.Read(ref _checks)) check();
        }
        finally
        {
            _isRunning = false;
        }
    }
}

/// <summary>Waits for less than a millisecond, which the framework cannot do.</summary>
internal static partial class Pause
{
    public static void Microseconds(int count)
    {
        if (OperatingSystem.IsLinux()) _ = Sleep((uint)count);
#pragma warning disable RS0030 // the monitor's tick: it only waits for time to pass
        else Thread.Sleep(Math.Max(1, count / 1_000));
#pragma warning restore RS0030
    }

    [LibraryImport("libc", EntryPoint = "usleep")]
    private static partial int Sleep(uint microseconds);
}
