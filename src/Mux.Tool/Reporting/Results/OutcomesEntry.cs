using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>Of the whole run, warm-up included.</summary>
/// <param name="Made">Calls made.</param>
/// <param name="Answered">Had a reply, right or wrong.</param>
/// <param name="Failed">Failed, but for the two that follow.</param>
/// <param name="DeadlineExceeded">Exceeded the deadline that the run gave them.</param>
/// <param name="Cancelled">Ended because the run cancelled them.</param>
/// <param name="CancelsChosen">Were to be cancelled, those that were over before included.</param>
/// <param name="Lost">Had no outcome.</param>
/// <param name="Unaccounted">By how much the outcomes differ from the calls made.</param>
internal sealed record OutcomesEntry(
    long Made, long Answered, long Failed, long DeadlineExceeded, long Cancelled, long CancelsChosen, long Lost, long Unaccounted)
{
    public static OutcomesEntry Of(CallOutcomes calls) =>
        new(calls.Made, calls.Answered, calls.Failed, calls.DeadlineExceeded, calls.Cancelled, calls.CancelsChosen, calls.Lost, calls.Unaccounted);
}
