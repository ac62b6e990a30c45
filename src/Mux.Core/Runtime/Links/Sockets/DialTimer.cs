namespace Mux.Runtime;

/// <summary>
/// One span of time in a dial. Its token is cancelled when the time has passed or the dial is abandoned. The ticker does it: a .NET timer would wait for a pool
/// thread, and the pool may be full of blocked user code.
/// </summary>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class DialTimer : ITicked, IThreadPoolWorkItem
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly Ticker _ticker;
    private readonly CancellationTokenRegistration _givenUp;
    private long _due;

    /// <param name="clock">Clock of the dial.</param>
    /// <param name="time">The time in microseconds, or <see cref="Clock.Never"/>.</param>
    /// <param name="dial">Cancelled when the dial is abandoned.</param>
    public DialTimer(Clock clock, long time, CancellationToken dial)
    {
        _due = Clock.After(clock.Now, time);
        _givenUp = dial.UnsafeRegister(static self => ((DialTimer)self!)._cancellation.Cancel(), this);
        _ticker = Ticker.For(clock);
        _ticker.Add(this);
    }

    public CancellationToken Token => _cancellation.Token;

    /// <summary>Ends when the token is cancelled. What awaits it continues on the thread that cancels: the pool may be full.</summary>
    public Task WaitAsync()
    {
        var passed = new TaskCompletionSource(TaskCreationOptions.None);
        Token.UnsafeRegister(static passed => ((TaskCompletionSource)passed!).TrySetResult(), passed);
        return passed.Task;
    }

    public long NextDue => Volatile.Read(ref _due);

    public void OnTick(long now)
    {
        Volatile.Write(ref _due, Clock.Never);
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(this); // what awaits the dial may continue in the call
        else _cancellation.Cancel(); // the loop or the runtime ends the connect
    }

    void IThreadPoolWorkItem.Execute() => _cancellation.Cancel();

    /// <summary>Stops the timer: what it limits is over.</summary>
    public void End()
    {
        _ticker.Remove(this);
        _givenUp.Dispose();
    }
}
