using Mux.Execution;
using Mux.Timing;

namespace Mux.Transports.Sockets;

/// <summary>
/// One attempt to connect. Its token is cancelled when no answer arrives in time or the dial is abandoned. The ticker does it: a .NET timer would wait for a
/// pool thread, and the pool may be full of blocked user code.
/// </summary>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class DialAttempt : ITicked, IThreadPoolWorkItem
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly Ticker _ticker;
    private readonly CancellationTokenRegistration _givenUp;
    private long _due;

    /// <param name="clock">Clock that times the answer.</param>
    /// <param name="answerTime">Time to wait for an answer, in microseconds, or <see cref="Clock.Never"/>.</param>
    /// <param name="dial">Cancelled when the dial is abandoned.</param>
    public DialAttempt(Clock clock, long answerTime, CancellationToken dial)
    {
        _due = Clock.After(clock.Now, answerTime);
        _givenUp = dial.UnsafeRegister(static self => ((DialAttempt)self!)._cancellation.Cancel(), this);
        _ticker = Ticker.For(clock);
        _ticker.Add(this);
    }

    public CancellationToken Token => _cancellation.Token;

    public long NextDue => Volatile.Read(ref _due);

    public void OnTick(long now)
    {
        Volatile.Write(ref _due, Clock.Never);
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(this); // what awaits the dial may continue in the call
        else _cancellation.Cancel(); // the loop or the runtime ends the connect
    }

    void IThreadPoolWorkItem.Execute() => _cancellation.Cancel();

    /// <summary>Stops the timer after the connect has succeeded or failed.</summary>
    public void End()
    {
        _ticker.Remove(this);
        _givenUp.Dispose();
    }
}
