using System.Collections.Concurrent;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Ordering;

namespace Mux.Tests.Execution;

/// <summary>
/// Ordered, serial and batched calls whose handlers throw, block and yield, with what holds of them: those of a key, and of a connection, run one at a time in the order in
/// which they were made, batches run one at a time, and each call is answered once.
/// </summary>
internal sealed class OrderlyLoad
{
    private const int MostTogether = 20;

    private readonly Accounts _ordered = new() { OnRun = RunAsync };
    private readonly Accounts _serial = new() { OnRun = RunAsync };
    private readonly Stock _stock = new() { OnFind = FindAsync };
    private readonly ConcurrentDictionary<int, int> _made = new(); // by account: calls of channels that live
    private readonly ConcurrentDictionary<int, int> _written = new(); // by writer
    private readonly ConcurrentDictionary<int, int[]> _answered = new(); // by account: those of channels that were lost
    private int _lost;
    private int _found;

    public MuxServer AddTo(MuxServer server) => server.AddService<IAccounts>(_ordered).AddService<IEditor>(_serial).AddService<IStock>(_stock);

    /// <summary>Calls of an account, some together, until the end.</summary>
    public async Task BookAsync(IAccounts sut, int account, Random random, CancellationToken end)
    {
        int number = 0;
        while (!end.IsCancellationRequested)
        {
            int together = random.Next(1, MostTogether);
            await AwaitAsync(Enumerable.Range(number, together).Select(next => (next, sut.Add(account, next).AsTask()))).ConfigureAwait(false);
            number += together;
#pragma warning disable VSTHRD002, VSTHRD103, CA1849, MUX0049 // blocking where replies are received is what is tested
            if (number % 29 == 1 && !Throws(number)) Assert.Equal(number, sut.Add(account, number++, CancellationToken.None).AsTask().GetAwaiter().GetResult());
#pragma warning restore VSTHRD002, VSTHRD103, CA1849, MUX0049
        }

        _made[account] = number;
    }

    /// <summary>Serial calls of the one connection of a channel, some together, until the end.</summary>
    public async Task EditAsync(IEditor sut, int writer, Random random, CancellationToken end)
    {
        int number = 0;
        while (!end.IsCancellationRequested)
        {
            int together = random.Next(1, MostTogether);
            await AwaitAsync(Enumerable.Range(number, together).Select(next => (next, sut.Edit(writer, next).AsTask()))).ConfigureAwait(false);
            number += together;
        }

        _written[writer] = number;
    }

    /// <summary>Batched calls, some together, until the end.</summary>
    public async Task FindAsync(IStock sut, Random random, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            int first = random.Next(1_000_000), together = random.Next(1, MostTogether);
            await AwaitAsync(Enumerable.Range(first, together).Select(next => (2 * next, sut.Find(next).AsTask()))).ConfigureAwait(false);
            Interlocked.Add(ref _found, together);
        }
    }

    /// <summary>Calls of an account of its own, during which the channel is lost.</summary>
    public async Task LoseAsync(MuxChannel channel)
    {
        int account = -Interlocked.Increment(ref _lost);
        var sut = channel.CreateProxy<IAccounts>();
        var calls = Enumerable.Range(0, 50).Select(number => sut.Add(account, number).AsTask()).ToArray();
        await ((Task)calls[25]).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await channel.DisposeAsync();
        List<int> answered = [];
        for (int number = 0; number < calls.Length; number++)
        {
            try
            {
                Assert.Equal(number, await calls[number]);
                answered.Add(number);
            }
            catch (MuxException error)
            {
                Assert.Contains(error.Status, new[] { MuxStatus.Unavailable, MuxStatus.Unknown });
            }
        }

        _answered[account] = [.. answered];
    }

    /// <summary>After the end of all callers, while the server runs.</summary>
    public async Task AssertAsync(Scene scene)
    {
        await Eventually.Holds(() => Read(MetricNames.OrderKeys) == 0, () => $"no key to have calls, not {Read(MetricNames.OrderKeys)}");
        Assert.Equal((0, 0), (Read(MetricNames.OrderWaitingCalls), Read(MetricNames.OrderRefusedCalls)));
        Assert.Equal((0, 0, 0), (_ordered.Overlaps, _serial.Overlaps, _stock.Overlaps));
        Assert.All(_made, made => Assert.Equal(Enumerable.Range(0, made.Value), _ordered.NumbersOf(made.Key)));
        Assert.All(_written, written => Assert.Equal(Enumerable.Range(0, written.Value), _serial.NumbersOf(written.Key)));
        Assert.Equal(_found, _stock.Found.Sum(static ids => ids.Length));
        foreach (var (account, answered) in _answered)
        {
            int[] ran = _ordered.NumbersOf(account);
            Assert.Equal(ran.Order().Distinct(), ran);
            Assert.Empty(answered.Except(ran));
        }

        long Read(string name) => scene.Meters.Read().Where(reading => reading.Instrument == name).Sum(static reading => reading.Value);
    }

    private static async Task AwaitAsync(IEnumerable<(int Expected, Task<int> Call)> calls)
    {
        foreach (var (expected, call) in calls.ToArray())
        {
            try
            {
                Assert.Equal(expected, await call.ConfigureAwait(false));
            }
            catch (MuxException error) when (error.Status == MuxStatus.Unknown)
            {
                Assert.True(Throws(expected), error.Message);
            }
        }
    }

    private static bool Throws(int number) => number % 17 == 16;

    private static async ValueTask RunAsync(int account, int number, CancellationToken cancellationToken)
    {
        if (Throws(number)) throw new InvalidOperationException("as asked");
        if (number % 13 == 0) Thread.SpinWait(2_000);
        if (number % 5 == 0) await Task.Yield();
    }

    private static async ValueTask FindAsync(MuxCalls<int, int> calls)
    {
        if (calls.Count % 5 == 0) Thread.SpinWait(2_000);
        if (calls.Count % 3 == 0) await Task.Yield();
        foreach (var call in calls)
        {
            if (Throws(2 * call.Request)) call.Fail(new InvalidOperationException("as asked"));
            else call.SetResult(2 * call.Request);
        }
    }
}
