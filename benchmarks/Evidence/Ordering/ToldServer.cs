using System.Collections.Concurrent;
using System.Diagnostics;

namespace Evidence.Ordering;

/// <summary>The other process of <see cref="ToldTable"/>: notes which call of a key came last, until its standard input ends.</summary>
internal static class ToldServer
{
    /// <summary>How long a handler takes, so that calls wait in the sockets and connections become old meanwhile.</summary>
    private const double HandlerMicroseconds = 40;

    public static async Task ServeAsync(CommandLine options)
    {
        var told = new Told();
        var settings = new MuxServerOptions { Address = "mux://127.0.0.1:0", EnableCallContext = true };
        if (options.Count("--max-age", 0, 0, 3_600_000) is > 0 and var age) settings.MaxConnectionAge = TimeSpan.FromMilliseconds(age);
        await using var server = new MuxServer(settings).AddService<ITold>(told);
        server.Start();
        Console.WriteLine(server.Address);
        await Console.In.ReadToEndAsync();
    }

    private sealed class Told : ITold
    {
        private readonly ConcurrentDictionary<int, int> _ran = new();
        private readonly ConcurrentDictionary<string, bool> _places = new();
        private int _outOfOrder;

        public ValueTask Tell(int key, int number)
        {
            long begun = Stopwatch.GetTimestamp();
            if (number != _ran.GetValueOrDefault(key)) Interlocked.Increment(ref _outOfOrder);
            _ran[key] = Math.Max(number, _ran.GetValueOrDefault(key)) + 1;
            if (MuxCallContext.Current?.Peer is { } peer) _places[peer] = true;
            while (Stopwatch.GetElapsedTime(begun).TotalMicroseconds < HandlerMicroseconds) Thread.SpinWait(10);
            return default;
        }

        public ValueTask<int> Ran(int key) => new(_ran.GetValueOrDefault(key));

        public ValueTask<ToldCounts> Count(int key) => new(new ToldCounts { OutOfOrder = Volatile.Read(ref _outOfOrder), Connections = _places.Count });
    }
}
