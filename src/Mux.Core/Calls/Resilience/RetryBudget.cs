namespace Mux.Calls;

/// <summary>
/// Keeps repeated calls from multiplying the load of servers that fail because of load: within 10 seconds, at most 10 attempts more than a tenth of the calls
/// that were started (the ring of Finagle's RetryBudget, with the numbers of the paper). Pure: time and counts come in. Not safe for concurrent use; its owner
/// guards it.
/// </summary>
/// <remarks>
/// A ring of seconds. What is not known exactly counts against the budget: calls that were started since the last look count as started at that look, and
/// attempts stay in the ring for a second more than calls. So within any 10 seconds that end with an attempt, attempts are at most 10 + 0.1 x calls.
/// </remarks>
internal sealed class RetryBudget
{
    /// <summary>Attempts that are always allowed within the window.</summary>
    public const int Floor = 10;

    /// <summary>Attempts allowed per call that was started.</summary>
    public const double Share = 0.1;

    /// <summary>Microseconds of the window.</summary>
    public const long Window = Seconds * Second;

    /// <summary>Longest time between two looks, in microseconds, for which nothing of the window is lost.</summary>
    public const long Second = 1_000_000;

    private const int Seconds = 10;
    private const int Slots = Seconds + 1;

    private readonly long[] _started = new long[Slots];
    private readonly long[] _spent = new long[Slots];
    private long _second = long.MinValue; // number of the newest slot's second
    private long _total; // calls started by the last look

    /// <summary>Calls that were started in the window, as of the last look.</summary>
    public long Calls
    {
        get
        {
            if (_second == long.MinValue) return 0;
            long calls = -_started[SlotOf(_second - Seconds)]; // the oldest second is in the ring for its attempts alone
            foreach (long count in _started) calls += count;
            return calls;
        }
    }

    /// <summary>Notes the calls that were started. Called every second while calls are made, and by the members below.</summary>
    /// <param name="now">Time in microseconds, not before that of the last look.</param>
    /// <param name="started">All calls started since the beginning, without repeated attempts.</param>
    public void Look(long now, long started)
    {
        long second = Math.Max(_second, now / Second);
        if (_second == long.MinValue) (_second, _total) = (second, started);
        _started[SlotOf(_second)] += Math.Max(0, started - _total);
        _total = Math.Max(_total, started);
        for (long passed = Math.Max(_second + 1, second - Slots + 1); passed <= second; passed++)
        {
            _started[SlotOf(passed)] = 0;
            _spent[SlotOf(passed)] = 0;
        }

        _second = second;
    }

    /// <summary>Takes one attempt.</summary>
    /// <param name="now">Time in microseconds.</param>
    /// <param name="started">As for <see cref="Look"/>.</param>
    /// <returns>False if the budget is empty.</returns>
    public bool TryTake(long now, long started)
    {
        if (Left(now, started) < 1) return false;
        _spent[SlotOf(_second)]++;
        return true;
    }

    /// <summary>Gets the number of attempts that are left; 0 or more.</summary>
    /// <param name="now">Time in microseconds.</param>
    /// <param name="started">As for <see cref="Look"/>.</param>
    public long Left(long now, long started)
    {
        Look(now, started);
        long spent = 0;
        foreach (long count in _spent) spent += count;
        return Math.Max(0, Floor + (long)(Calls * Share) - spent);
    }

    private static int SlotOf(long second) => (int)(((second % Slots) + Slots) % Slots);
}
