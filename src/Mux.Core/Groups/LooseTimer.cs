using System.Diagnostics;
using Mux.Execution;
using Mux.Timing;

namespace Mux.Groups;

/// <summary>
/// A time at which something is done with what a lock guards. When that is, is decided under the lock, and the ticker of the
/// connections is told without it: a clock may be code of users. It may fire early or for nothing, so what it runs looks at
/// the time. Safe for concurrent use.
/// </summary>
/// <remarks>A timer of .NET would wait for a thread of its pool, which blocked code of users may fill.</remarks>
/// <param name="clock">The clock.</param>
/// <param name="gate">The lock.</param>
/// <param name="fired">Runs without locks.</param>
internal sealed class LooseTimer(Clock clock, Lock gate, Action fired) : ITicked, IThreadPoolWorkItem
{
    private readonly Ticker _ticker = Ticker.For(clock);
    private long _due = Clock.Never; // written under the lock; it fires by then, or a thread is about to see to that
    private bool _isTicked; // guarded by the lock
    private bool _hasEnded; // guarded by the lock

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _due);

    /// <summary>Has it fire at some time, or before.</summary>
    /// <returns>True if this thread has to call <see cref="Set"/> without the lock.</returns>
    public bool IsSetForLocked(long due)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (due >= _due || _hasEnded) return false;
        Volatile.Write(ref _due, due);
        return true;
    }

    /// <summary>Sets it for the time that was decided last.</summary>
    public void Set()
    {
        bool isFirst;
        lock (gate)
        {
            if (_hasEnded) return;
            isFirst = !_isTicked;
            _isTicked = true;
        }

        if (!isFirst)
        {
            _ticker.Request(NextDue);
            return;
        }

        _ticker.Add(this);
        bool hasEnded;
        lock (gate) hasEnded = _hasEnded;
        if (hasEnded) _ticker.Remove(this); // the end may have come before
    }

    /// <summary>It fires no more. Called without the lock.</summary>
    public void End()
    {
        lock (gate)
        {
            _hasEnded = true;
            Volatile.Write(ref _due, Clock.Never);
        }

        _ticker.Remove(this);
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        lock (gate) Volatile.Write(ref _due, Clock.Never);
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(this); // it may tell observers of calls, which are code of users
        else fired();
    }

    void IThreadPoolWorkItem.Execute() => fired();
}
