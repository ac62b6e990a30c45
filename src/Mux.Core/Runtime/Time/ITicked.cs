namespace Mux.Runtime;

/// <summary>Acts when time has passed.</summary>
internal interface ITicked
{
    /// <summary>Time of the next action in microseconds of its <see cref="Clock"/>, or <see cref="Clock.Never"/>. Read from any thread.</summary>
    long NextDue { get; }

    /// <summary>
    /// Acts, without user code where <see cref="Ticker.MayNotBlock"/> is true. Called at <see cref="NextDue"/> or later, by one thread at a time. Afterwards
    /// <see cref="NextDue"/> lies in the future.
    /// </summary>
    void OnTick(long now);
}
