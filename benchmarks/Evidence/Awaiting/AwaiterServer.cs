using System.Diagnostics;

namespace Evidence.Awaiting;

/// <summary>The other process: serves handlers that await until its standard input ends.</summary>
internal static class AwaiterServer
{
    public static void Serve(int echoPort)
    {
        var service = new Awaiter(new EchoSockets(echoPort));
        var server = new MuxServer("mux://127.0.0.1:0").AddService<IAwaiter>(service);
        service.Server = server;
        server.Start();
        Console.WriteLine(server.Address);
        Console.In.ReadToEnd();

        Environment.Exit(0);
    }

    private sealed class Awaiter(EchoSockets echo) : IAwaiter
    {
        private static readonly TimeSpan s_time = TimeSpan.FromSeconds(1);

        public MuxServer? Server { get; set; }

        public ValueTask<int> Nothing(int number) => new(number);

        public async ValueTask<int> Yield(int number)
        {
            await Task.Yield();
            return number;
        }

        public async ValueTask<int> RoundTrip(int number)
        {
            await echo.EchoAsync().ConfigureAwait(false);
            return number;
        }

        public ValueTask<AwaiterUsage> Usage()
        {
            var statistics = Server!.GetStatistics();
            return new(new AwaiterUsage(Environment.CpuUsage.TotalTime.TotalMicroseconds, statistics.CallsCompleted, statistics.Sends));
        }

        public async ValueTask<double> CostWithoutCall(AwaitedWork work, int callers)
        {
            await LoopAllAsync(work, callers).ConfigureAwait(false); // compiles, connects
            double before = Environment.CpuUsage.TotalTime.TotalMicroseconds;
            long runs = await LoopAllAsync(work, callers).ConfigureAwait(false);
            return (Environment.CpuUsage.TotalTime.TotalMicroseconds - before) / runs;
        }

        private async Task<long> LoopAllAsync(AwaitedWork work, int callers)
        {
            var loops = await Task.WhenAll(Enumerable.Range(0, callers).Select(_ => Task.Run(() => LoopAsync(work)))).ConfigureAwait(false);
            return loops.Sum();
        }

        private async Task<long> LoopAsync(AwaitedWork work)
        {
            long start = Stopwatch.GetTimestamp(), runs = 0;
            for (; Stopwatch.GetElapsedTime(start) < s_time; runs++)
            {
                _ = await work.RunAsync(this, 0).ConfigureAwait(false);
            }

            return runs;
        }
    }
}
