namespace Mux.Tool.Load;

/// <summary>
/// Outcomes of the calls of a whole run, warm-up included. Each part is counted where it happens, so that a call without an outcome, or with two, shows in the
/// sum.
/// </summary>
/// <param name="Made">Number of calls made.</param>
/// <param name="Answered">Number of replies, right or wrong.</param>
/// <param name="Failed">Number of failed calls.</param>
/// <param name="DeadlineExceeded">Number of calls that exceeded the deadline of the run.</param>
/// <param name="Cancelled">Number of calls that the run cancelled, and that ended by it.</param>
/// <param name="Lost">Number of calls without an outcome at the end.</param>
internal sealed record CallOutcomes(long Made, long Answered, long Failed, long DeadlineExceeded, long Cancelled, long Lost)
{
    /// <summary>Number of calls chosen for cancellation, including those that ended before.</summary>
    public long CancelsChosen { get; init; }

    /// <summary>Number of response streams that the run ended, because they were open at its end.</summary>
    public long Cut { get; init; }

    /// <summary>Difference between outcomes and calls: 0 if each call had exactly one outcome.</summary>
    public long Unaccounted => Math.Abs(Made - Answered - Failed - DeadlineExceeded - Cancelled - Lost - Cut);
}
