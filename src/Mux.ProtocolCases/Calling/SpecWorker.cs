using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Mux.ProtocolCases.Clients;

namespace Mux.ProtocolCases.Calling;

/// <summary>Runs the tasks of a round.</summary>
/// <param name="spec">The server.</param>
/// <param name="second">Cancels the second of the held calls.</param>
/// <param name="round">Cancelled at the end of the round.</param>
internal sealed class SpecWorker(IClientSpec spec, CancellationTokenSource second, CancellationToken round)
{
    /// <summary>Maximum number of retries of a call that was not executed.</summary>
    private const int MaxRetries = 3;

    private Task _both = Task.CompletedTask;

    /// <returns>Result for the next call of Task.</returns>
    public async Task<byte[]> DoAsync(ClientTask task)
    {
        string result;
        try
        {
            result = await ResultAsync(task).ConfigureAwait(false);
        }
        catch (MuxException failure)
        {
            result = string.Create(CultureInfo.InvariantCulture, $"failed {(int)failure.Status} {(int)failure.Execution}");
        }

        return Encoding.ASCII.GetBytes(result);
    }

    /// <summary>Waits for the operations that the end of the round cancels.</summary>
    public async Task EndAsync() => await _both.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    private Task<string> ResultAsync(ClientTask task) => task.Name switch
    {
        ClientTask.Cancel => CancelAsync(),
        ClientTask.Both => OpenBothAsync(),
        ClientTask.Echo => EchoAsync(task.Size, task.Count),
        ClientTask.Calls => CallAsync(task.Size, task.Count),
        ClientTask.Up => UpAsync(task.Size, task.Count),
        ClientTask.Down => DownAsync(task),
        ClientTask.Deadline => WaitAsync(TimeSpan.FromMilliseconds(task.Size)),
        _ => Task.FromResult($"unknown {task.Name}"),
    };

    private async Task<string> CancelAsync()
    {
        await second.CancelAsync().ConfigureAwait(false);
        return "ok";
    }

    /// <summary>Opens a stream in each direction, sends nothing, and reads until the end of the round.</summary>
    private async Task<string> OpenBothAsync()
    {
        await second.CancelAsync().ConfigureAwait(false);
        var replies = spec.BothAsync(NothingAsync(round), round).GetAsyncEnumerator(round);
        var first = replies.MoveNextAsync().AsTask(); // makes the call
        _both = ReadAsync();
        return "ok";

        async Task ReadAsync()
        {
            await using var end = replies.ConfigureAwait(false);
            for (bool isMore = await first.ConfigureAwait(false); isMore;) isMore = await replies.MoveNextAsync().ConfigureAwait(false);
        }
    }

    private async Task<string> EchoAsync(int size, int count)
    {
        var calls = Enumerable.Range(0, count).Select(_ => spec.EchoAsync(ClientTask.Content(size), round).AsTask()).ToArray();
        var replies = await Task.WhenAll(calls).ConfigureAwait(false);
        return replies.All(reply => reply.AsSpan().SequenceEqual(ClientTask.Content(size))) ? $"ok {count}" : "wrong";
    }

    private async Task<string> CallAsync(int size, int count)
    {
        for (int made = 0; made < count; made++)
        {
            if (!(await CallAsync(size).ConfigureAwait(false)).AsSpan().SequenceEqual(ClientTask.Content(size))) return "wrong";
        }

        return $"ok {count}";
    }

    private async Task<byte[]> CallAsync(int size)
    {
        for (int retries = 0; ; retries++)
        {
            try
            {
                return await spec.EchoAsync(ClientTask.Content(size), round).ConfigureAwait(false);
            }
            catch (MuxException failure) when (failure is { Status: MuxStatus.Unavailable, Execution: MuxExecution.NotExecuted } && retries < MaxRetries)
            {
                // The call was not executed, so it may be made again.
            }
        }
    }

    private async Task<string> UpAsync(int size, int count)
    {
        await spec.UpAsync(ItemsAsync(size, count), round).ConfigureAwait(false);
        return $"ok {count}";
    }

    private async Task<string> DownAsync(ClientTask task)
    {
        long items = 0, bytes = 0;
        await foreach (var item in spec.DownAsync(task.ToBytes(), round).ConfigureAwait(false))
        {
            if (!item.AsSpan().SequenceEqual(ClientTask.Content(item.Length))) return "wrong";
            (items, bytes) = (items + 1, bytes + item.Length);
        }

        return string.Create(CultureInfo.InvariantCulture, $"ok {items} {bytes}");
    }

    private async Task<string> WaitAsync(TimeSpan deadline)
    {
        await spec.WaitAsync([], new MuxCallOptions { Timeout = deadline }, round).ConfigureAwait(false);
        return "ok 1";
    }

    private static async IAsyncEnumerable<byte[]> ItemsAsync(int size, int count)
    {
        await ValueTask.CompletedTask.ConfigureAwait(false);
        for (int item = 0; item < count; item++) yield return ClientTask.Content(size);
    }

    private static async IAsyncEnumerable<byte[]> NothingAsync([EnumeratorCancellation] CancellationToken round)
    {
        await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, round).ConfigureAwait(false);
        yield break;
    }
}
