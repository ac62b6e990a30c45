using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>Problems of a run, one line each, for the standard error stream.</summary>
internal static class Problems
{
    public static IEnumerable<string> Lines(BenchOutcome outcome)
    {
        if (outcome.WrongReplies > 0) yield return $"Wrong replies: {Quantity.Count(outcome.WrongReplies)}. The reply does not match its request.";
        if (outcome.LostReplies > 0)
        {
            yield return $"Lost replies: {Quantity.Count(outcome.LostReplies)}. They were still missing after {BenchRun.QuietSeconds} s without any " +
                "reply.";
        }

        if (outcome.Calls is { Unaccounted: > 0 } calls)
        {
            yield return $"Of {Quantity.Count(calls.Made)} calls made {Quantity.Count(calls.Answered)} were answered, {Quantity.Count(calls.Failed)} " +
                $"failed, {Quantity.Count(calls.DeadlineExceeded)} exceeded "
                + $"their deadline and {Quantity.Count(calls.Cancelled)} were cancelled: not every call had exactly one outcome.";
        }

        if (outcome.ProtocolErrors > 0) yield return $"Connections ended by a protocol error, such as a second reply: {outcome.ProtocolErrors}. " +
            $"{outcome.Loss?.Message}";
        else if (outcome.Loss is { } loss) yield return $"A connection was lost after {Quantity.Count(outcome.Replies)} replies, which ended the run: " +
            $"{loss.Message}";
        if (outcome.Failures.Count > 0)
        {
            var example = outcome.Example is { } first ? $" The first {first.Status}: {first.Message}" : "";
            var statuses = outcome.Failures.Select(failure => $"{failure.Key} {Quantity.Count(failure.Value)}");
            yield return $"Failed calls by status: {string.Join(", ", statuses)}.{example}";
        }

        foreach (var endpoint in outcome.Endpoints)
        {
            if (endpoint.Unreached is { } reason) yield return $"{endpoint.Address} was not reached, so the figures are without it: {reason}";
        }

        if (outcome.Churn is { Errors: > 0 } churn)
        {
            yield return $"Connections that could not be opened in the place of others: {Quantity.Count(churn.Errors)}. {churn.LastFailure}";
        }

        if (outcome.Schedule is { IsValid: false } schedule) yield return $"The run is invalid: {string.Join("; ", schedule.InvalidBecause)}.";
        if (outcome.IsInterrupted)
        {
            yield return outcome.Elapsed == TimeSpan.Zero ? "Interrupted during the warm-up." : "Interrupted: these are the figures so far.";
        }
    }
}
