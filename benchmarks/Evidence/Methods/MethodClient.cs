using System.Diagnostics;
using System.Globalization;

namespace Evidence.Methods;

/// <summary>One client process: makes the first calls of so many methods, then calls them in turn.</summary>
internal static class MethodClient
{
    private const int InFlight = 200;

    /// <summary>Prints the milliseconds of the first calls, with the proxies, and the calls per second after the warm-up.</summary>
    /// <param name="assembly">Where the contracts are.</param>
    /// <param name="address">Of the server.</param>
    /// <param name="count">Number of methods that are called.</param>
    /// <param name="warmup">Time before the rate is measured.</param>
    /// <param name="duration">Time in which it is measured.</param>
    public static async Task RunAsync(string assembly, string address, int count, TimeSpan warmup, TimeSpan duration)
    {
        var set = MethodAssembly.Load(assembly);
        await using var channel = await MuxChannel.ConnectAsync(address);
        long start = Stopwatch.GetTimestamp();
        var calls = set.CreateCalls(channel)[..count];
        for (int i = 0; i < count; i++) await calls[i].MakeAsync(i);
        double first = Stopwatch.GetElapsedTime(start).TotalMilliseconds;

        var loops = new Loops(calls);
        var running = loops.Start();
        await Task.Delay(warmup);
        long before = loops.Made;
        start = Stopwatch.GetTimestamp();
        await Task.Delay(duration);
        double rate = (loops.Made - before) / Stopwatch.GetElapsedTime(start).TotalSeconds;
        loops.Stop();
        await running;
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{first} {rate}"));
    }

    /// <summary>Closed loops, each of which calls all methods in turn.</summary>
    private sealed class Loops(MethodCall[] calls)
    {
        private readonly long[] _made = new long[InFlight];
        private volatile bool _isOver;

        public long Made
        {
            get
            {
                long sum = 0;
                for (int i = 0; i < InFlight; i++) sum += Volatile.Read(ref _made[i]);
                return sum;
            }
        }

        public Task Start() => Task.WhenAll(Enumerable.Range(0, InFlight).Select(loop => Task.Run(() => RunAsync(loop))));

        public void Stop() => _isOver = true;

        private async Task RunAsync(int loop)
        {
            int next = loop * calls.Length / InFlight; // spread over all methods
            while (!_isOver)
            {
                await calls[next].MakeAsync(next);
                _made[loop]++;
                if (++next == calls.Length) next = 0;
            }
        }
    }
}
