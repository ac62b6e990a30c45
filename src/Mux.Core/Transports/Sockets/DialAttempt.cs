using Mux.Timing;

namespace Mux.Transports.Sockets;

/// <summary>
/// One try to connect. Its token fires when no answer came in time, or the dial is given up: by the ticker, because a timer of .NET would wait for a thread of
/// the pool, which may be full of blocked code.
/// </summary>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class DialAttempt : ITicked
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly Ticker _ticker;
    private readonly CancellationTokenRegistration _givenUp;
    private long _due;

    /// <param name="clock">Times the answer.</param>
    /// <param name="answerTime">In microseconds; or <see cref="Clock.Never"/>.</param>
    /// <param name="dial">Fires when the dial is given up.</param>
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
        _cancellation.Cancel(); // hands the try to the loop or the system, which end it
    }

    /// <summary>There is an answer, or there will be none.</summary>
    public void End()
    {
        _ticker.Remove(this);
        _givenUp.Dispose();
    }
}
