using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="Wrong">Replies that were not what their requests ask for.</param>
/// <param name="Lost">Replies that never came.</param>
/// <param name="Protocol">Connections ended by a protocol error.</param>
/// <param name="Failed">Failed calls by status, those that occurred.</param>
/// <param name="ConnectionLost">How the first connection was lost; null if none was.</param>
internal sealed record ErrorsEntry(long Wrong, long Lost, long Protocol, IReadOnlyDictionary<string, long> Failed, string? ConnectionLost)
{
    public static ErrorsEntry Of(BenchOutcome outcome) => new(
        outcome.WrongReplies,
        outcome.LostReplies,
        outcome.ProtocolErrors,
        outcome.Failures.ToDictionary(failure => failure.Key.ToString(), failure => failure.Value, StringComparer.Ordinal),
        outcome.Loss?.Message);
}
