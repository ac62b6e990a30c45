namespace Mux.Tool.Chaos;

/// <summary>When the faults happen, counted from the start of the proxy. The default: always.</summary>
/// <param name="Start">Time before the first fault.</param>
/// <param name="Duration">How long they last; null without end.</param>
/// <param name="Every">Time from one start to the next, longer than <paramref name="Duration"/>; null for once.</param>
internal readonly record struct ChaosWindow(TimeSpan Start, TimeSpan? Duration = null, TimeSpan? Every = null)
{
    /// <param name="elapsed">Time since the start of the proxy.</param>
    public bool IsOpen(TimeSpan elapsed) => elapsed >= Start && (Duration is not { } duration || InRound(elapsed) < duration);

    /// <param name="elapsed">Time since the start of the proxy.</param>
    /// <returns>Time until the faults begin or end next; null if they do not.</returns>
    public TimeSpan? UntilChange(TimeSpan elapsed)
    {
        if (elapsed < Start) return Start - elapsed;
        if (Duration is not { } duration) return null;
        var inRound = InRound(elapsed);
        return inRound < duration ? duration - inRound : Every - inRound;
    }

    private TimeSpan InRound(TimeSpan elapsed) => Every is { } every ? new TimeSpan((elapsed - Start).Ticks % every.Ticks) : elapsed - Start;
}
