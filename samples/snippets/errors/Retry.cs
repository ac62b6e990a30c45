using Mux;

namespace Shop;

public static class Retry
{
    /// <summary>Repeats a call that no server has started, three times at most.</summary>
    public static async Task<T> UnlessStartedAsync<T>(Func<Task<T>> call, CancellationToken cancellationToken)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return await call();
            }
            catch (MuxException e) when (IsWorthRepeating(e) && attempt < 3)
            {
                await Task.Delay(e.RetryAfter ?? TimeSpan.FromMilliseconds(Random.Shared.Next(100 << attempt)), cancellationToken);
            }
        }
    }

    private static bool IsWorthRepeating(MuxException e) =>
        e is { Execution: MuxExecution.NotExecuted, Status: MuxStatus.Unavailable or MuxStatus.ResourceExhausted }
        && e.RetryAfter != Timeout.InfiniteTimeSpan;
}
