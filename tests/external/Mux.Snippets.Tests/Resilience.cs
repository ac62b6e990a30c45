using Polly;
using Polly.Retry;

namespace Mux.Snippets.Tests;

public static class Resilience
{
    /// <summary>Repeats calls that no server has started, after the pause that the server asked for.</summary>
    public static ResiliencePipeline UnlessStarted { get; } = new ResiliencePipelineBuilder()
        .AddRetry(new RetryStrategyOptions
        {
            ShouldHandle = new PredicateBuilder().Handle<MuxException>(
                e => e is { Execution: MuxExecution.NotExecuted, Status: MuxStatus.Unavailable or MuxStatus.ResourceExhausted }
                    && e.RetryAfter != Timeout.InfiniteTimeSpan),
            DelayGenerator = static attempt => new((attempt.Outcome.Exception as MuxException)?.RetryAfter),
            BackoffType = DelayBackoffType.Exponential,
            UseJitter = true,
            MaxRetryAttempts = 3,
        })
        .Build();
}
