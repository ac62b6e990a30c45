using Mux;

namespace Deadlines;

/// <summary>Counts article 13 for ever; all others take 20 ms.</summary>
public sealed class Stock : IStock
{
    public async ValueTask<int> Count(int article, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        Say($"may count article {article} for", options);
        await WorkAsync(article == 13 ? Timeout.Infinite : 20, cancellationToken);
        return 7;
    }

    public async ValueTask Recount(MuxCallOptions? options, CancellationToken cancellationToken)
    {
        Say("may recount everything for", options);
        await WorkAsync(Timeout.Infinite, cancellationToken);
    }

    private static void Say(string what, MuxCallOptions? options) =>
        Console.WriteLine($"    stock: {what} {(options?.Timeout is { } left ? $"{left.TotalMilliseconds:0} ms" : "as long as it likes")}");

    // The token fires at the deadline, when the caller cancels, and when the connection is lost.
    private static async Task WorkAsync(int milliseconds, CancellationToken cancellationToken)
    {
        try
        {
            await Task.Delay(milliseconds, cancellationToken);
        }
        catch (OperationCanceledException)
        {
            Console.WriteLine("    stock: told to stop");
            throw;
        }
    }
}
