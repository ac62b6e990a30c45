using Mux.Contracts;
using Mux.Tool.Reporting;
using Mux.Tool.Serving;

namespace Mux.Tool.Contracts;

/// <summary>Lines about a call that failed.</summary>
internal static class CallFailure
{
    public static IEnumerable<string> Lines(MuxException error, CalledMethod method)
    {
        bool isTooLarge = error is { Status: MuxStatus.ResourceExhausted, Execution: MuxExecution.Executed }
            && error.Message.Contains("MaxMessageBytes", StringComparison.Ordinal);
        yield return PrintableText.Of($"{FlagNames.In(error.Message)}{(isTooLarge ? " For this command that is --max-message." : "")}");
        yield return $"  status: {error.Status}";
        yield return error.Execution switch
        {
            MuxExecution.NotExecuted => "  execution: not executed",
            MuxExecution.MayHaveExecuted => "  execution: may have executed",
            _ => "  execution: executed",
        };
        if (error.Detail is RawDetail detail) yield return PrintableText.Of($"  detail: {method.Details.Of(detail)}");
        if (error.RetryAfter == Timeout.InfiniteTimeSpan) yield return "  retry after: never";
        else if (error.RetryAfter is { } pause) yield return $"  retry after: {new Commands.Duration(pause)}";
    }
}
