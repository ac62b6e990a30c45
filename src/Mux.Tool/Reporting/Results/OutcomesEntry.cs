using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>Outcomes of the calls of the whole run, warm-up included.</summary>
/// <param name="Made">Calls made.</param>
/// <param name="Answered">Calls with a reply, right or wrong.</param>
/// <param name="Failed">Failed calls, except for the following two.</param>
/// <param name="DeadlineExceeded">Calls that exceeded the deadline of the run.</param>
/// <param name="Cancelled">Calls that ended because the run cancelled them.</param>
/// <param name="CancelsChosen">Calls chosen for cancellation, including those that ended before.</param>
/// <param name="Lost">Calls without an outcome.</param>
/// <param name="Unaccounted">Difference between outcomes and calls made.</param>
/// <param name="Cut">Response streams that were open at the end of the run, which ended them.</param>
internal sealed record OutcomesEntry(
    long Made, long Answered, long Failed, long DeadlineExceeded, long Cancelled, long CancelsChosen, long Lost, long Unaccounted, long Cut)
{
    public static OutcomesEntry Of(CallOutcomes calls) =>
        new(calls.Made, calls.Answered, calls.Failed, calls.DeadlineExceeded, calls.Cancelled, calls.CancelsChosen, calls.Lost, calls.Unaccounted, calls.Cut);
}
