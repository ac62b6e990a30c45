using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="Wrong">Replies that do not match their requests.</param>
/// <param name="Lost">Replies that never arrived.</param>
/// <param name="Protocol">Connections ended by a protocol error.</param>
/// <param name="Failed">Failed calls by status.</param>
/// <param name="ConnectionLost">The first loss of a connection; null if there was none.</param>
internal sealed record ErrorsEntry(long Wrong, long Lost, long Protocol, IReadOnlyDictionary<string, long> Failed, string? ConnectionLost)
{
    public static ErrorsEntry Of(BenchOutcome outcome) => new(
        outcome.WrongReplies,
        outcome.LostReplies,
        outcome.ProtocolErrors,
        outcome.Failures.ToDictionary(failure => failure.Key.ToString(), failure => failure.Value, StringComparer.Ordinal),
        outcome.Loss?.Message);
}
