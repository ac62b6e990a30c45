using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

#pragma warning disable VSTHRD002, VSTHRD103, CA1849, MUX0049 // blocking is what is tested

/// <inheritdoc/>
/// <param name="back">Another server, which takes 20 ms.</param>
/// <param name="own">This one.</param>
/// <param name="wake">Ends the handlers that sleep.</param>
internal sealed class Blocking(IDesk back, Func<IBlocking> own, ManualResetEventSlim wake) : IBlocking
{
    private int _cancelled;

    public ValueTask<byte[]> BlockOnBack(int replyBytes) => new(AwaitBack(replyBytes).AsTask().Result);

    public async ValueTask<byte[]> AwaitBack(int replyBytes) =>
        (await back.AskPlainly(new Question { Text = replyBytes.ToString(System.Globalization.CultureInfo.InvariantCulture) }).ConfigureAwait(false)).Bytes!;

    public ValueTask<MuxStatus> BlockOnBackForASecond(int replyBytes)
    {
        using var scope = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) }.Apply();
        try
        {
            _ = AwaitBack(replyBytes).AsTask().Result;
            return new(MuxStatus.Ok);
        }
        catch (AggregateException error) when (error.InnerException is MuxException failure)
        {
            return new(failure.Status);
        }
    }

    public ValueTask<int> Descend(int depth) => new(depth == 0 ? 0 : own().Descend(depth - 1).AsTask().Result + 1);

    public ValueTask<int> Sleep(int number)
    {
        wake.Wait();
        return new(number);
    }

    public ValueTask<int> SleepInline(int number) => Sleep(number);

    public ValueTask<int> Echo(int number) => new(number);

    public ValueTask<int> Waiting() => new(MuxWorkers.Waiting);

    public ValueTask<long> BlockOnStream(int count) => new(own().Total(CountAsync(count)).AsTask().Result);

    public async ValueTask<long> Total(IAsyncEnumerable<int> numbers)
    {
        long total = 0;
        await foreach (int number in numbers.ConfigureAwait(false)) total += number;
        return total;
    }

    public ValueTask WaitForCancel(CancellationToken cancellationToken = default)
    {
        cancellationToken.WaitHandle.WaitOne();
        Interlocked.Increment(ref _cancelled);
        return default;
    }

    public ValueTask<int> Cancelled() => new(Volatile.Read(ref _cancelled));

    private static async IAsyncEnumerable<int> CountAsync(int count)
    {
        for (int number = 1; number <= count; number++) yield return number;
        await Task.CompletedTask.ConfigureAwait(false);
    }

    public async ValueTask<int> SleepAfterBack(int number)
    {
        await back.AskPlainly(new Question()).ConfigureAwait(false);
        wake.Wait();
        return number;
    }
}
