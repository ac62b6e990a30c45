using System.Diagnostics;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>
/// A time at which something is done with what a lock guards. The time is decided under the lock, and the ticker of the
/// connections is told without it, because a clock may be code of users. It may fire early or for nothing, so what it
/// runs looks at the time. Safe for concurrent use.
/// </summary>
/// <remarks>
/// A timer of .NET would wait for a thread of its pool, which blocked code of users may fill. The ticker holds this
/// only while a time is decided: each of its ticks looks at all that it holds.
/// </remarks>
/// <param name="clock">The clock.</param>
/// <param name="gate">The lock.</param>
/// <param name="fired">Runs without locks.</param>
internal sealed class LooseTimer(Clock clock, Lock gate, Action fired) : ITicked, IThreadPoolWorkItem
{
    private readonly Ticker _ticker = Ticker.For(clock);
    private long _due = Clock.Never; // written under the lock, which guards the fields below
    private bool _isTicked; // the ticker has it, or a thread is about to see to that
    private bool _isQueued; // a thread is about to run what it fires
    private bool _hasEnded;

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
        bool isTicked;
        lock (gate)
        {
            if (_hasEnded) return;
            isTicked = _isTicked;
            _isTicked = true;
        }

        if (isTicked) _ticker.Request(NextDue);
        else TellTicker();
    }

    /// <summary>It fires no more. Called without the lock.</summary>
    public void End()
    {
        lock (gate)
        {
            (_hasEnded, _isTicked) = (true, false);
            Volatile.Write(ref _due, Clock.Never);
        }

        TellTicker();
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        lock (gate)
        {
            Volatile.Write(ref _due, Clock.Never);
            if (_isQueued) return;
            _isQueued = true;
        }

        // It may tell observers of calls, which are code of users.
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(this);
        else Fire();
    }

    void IThreadPoolWorkItem.Execute() => Fire();

    private void Fire()
    {
        lock (gate) _isQueued = false;
        fired();
        lock (gate)
        {
            if (_due != Clock.Never) return;
            _isTicked = false;
        }

        TellTicker();
    }

    /// <summary>
    /// Joins or leaves the ticker. Other threads may decide otherwise meanwhile: the last one to act has seen the last
    /// decision.
    /// </summary>
    private void TellTicker()
    {
        bool joins, isLast;
        do
        {
            lock (gate) joins = _isTicked;
            if (joins) _ticker.Add(this);
            else _ticker.Remove(this);
            lock (gate) isLast = joins == _isTicked;
        }
        while (!isLast);
    }
}
