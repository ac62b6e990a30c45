using System.Diagnostics;
using System.Globalization;
using Evidence.Statistics;

namespace Evidence.Bursts;

/// <summary>
/// What becomes of small calls that are all made at once on a channel with default options, while each handler waits
/// until all are made: far more than a server has handlers for.
/// </summary>
internal static class SlowBursts
{
    private const int Calls = 100_000;
    private const int FirstHandlers = 4_000;

    /// <returns>Whether none failed.</returns>
    public static async Task<bool> RunAsync(int rounds)
    {
        int failed = 0;
        var seconds = new List<double>();
        for (int round = 0; round < rounds; round++)
        {
            var (failures, time) = await MeasureAsync();
            failed += failures;
            seconds.Add(time);
        }

        Console.WriteLine();
        Console.WriteLine(
            "| small calls, all at once on one channel, to handlers that wait until all are made " +
            "| failed, of all rounds | goal | | s for all (median) |");
        Console.WriteLine("|---|---|---|---|---|");
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {Calls:N0} | {failed} | 0 | {Verdict.Of(failed == 0)} | {Estimate.MedianOf(seconds):F2} |"));
        return failed == 0;
    }

    private static async Task<(int Failed, double Seconds)> MeasureAsync()
    {
        var gate = new Gate();
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0" })
            .AddService<IBurst>(gate);
        server.Start();
        var options = new MuxChannelOptions { Address = server.Address.ToString() };
        await using var channel = await MuxChannel.ConnectAsync(options);
        var proxy = channel.CreateProxy<IBurst>();
        long start = Stopwatch.GetTimestamp();
        var calls = Enumerable.Range(0, Calls).Select(number => proxy.Wait(number).AsTask()).ToArray();
        await gate.FirstStarted;
        gate.Open();
        int failed = 0;
        for (int number = 0; number < Calls; number++)
        {
            try
            {
                if (await calls[number] != number) throw new EvidenceException("A reply is that of another call.");
            }
            catch (MuxException error)
            {
                if (failed++ == 0) await Console.Error.WriteLineAsync(error.Message);
            }
        }

        return (failed, Stopwatch.GetElapsedTime(start).TotalSeconds);
    }

    private sealed class Gate : IBurst
    {
        private readonly TaskCompletionSource _open = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _started;

        public Task FirstStarted => _first.Task;

        public void Open() => _open.SetResult();

        public async ValueTask<int> Wait(int number, CancellationToken cancellationToken)
        {
            if (Interlocked.Increment(ref _started) == FirstHandlers) _first.SetResult();
            await _open.Task;
            await Task.Yield(); // handlers that come later end no sooner than others run
            return number;
        }

        public ValueTask<byte[]> Exchange(
            byte[] request, int reply, int keepMilliseconds, CancellationToken cancellationToken) => new(new byte[reply]);
    }
}
