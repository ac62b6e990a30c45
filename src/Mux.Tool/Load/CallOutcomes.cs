namespace Mux.Tool.Load;

/// <summary>
/// What became of the calls of a whole run, warm-up included. Each part is counted where it happens, so that a call without an outcome, or with two, shows in
/// the sum.
/// </summary>
/// <param name="Made">Calls made.</param>
/// <param name="Answered">Had a reply, right or wrong.</param>
/// <param name="Failed">Failed.</param>
/// <param name="DeadlineExceeded">Exceeded the deadline that the run gave them.</param>
/// <param name="Cancelled">Were cancelled by the run, and ended by that.</param>
/// <param name="Lost">Had no outcome when nothing came any more.</param>
internal sealed record CallOutcomes(long Made, long Answered, long Failed, long DeadlineExceeded, long Cancelled, long Lost)
{
    /// <summary>Calls that the run was to cancel, whether they were over before or not.</summary>
    public long CancelsChosen { get; init; }

    /// <summary>By how much outcomes and calls differ: 0 where each call had exactly one.</summary>
    public long Unaccounted => Math.Abs(Made - Answered - Failed - DeadlineExceeded - Cancelled - Lost);
}
