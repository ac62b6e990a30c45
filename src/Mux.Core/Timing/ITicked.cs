namespace Mux.Timing;

/// <summary>Something that has to act when time has passed.</summary>
internal interface ITicked
{
    /// <summary>When it next has to act, in microseconds of its <see cref="Clock"/>, or <see cref="Clock.Never"/>. Read from any thread.</summary>
    long NextDue { get; }

    /// <summary>Called at <see cref="NextDue"/> or later, by one thread at a time. Afterwards <see cref="NextDue"/> lies in the future.</summary>
    void OnTick(long now);
}
