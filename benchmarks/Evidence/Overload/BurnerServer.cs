using System.Diagnostics;
using System.Security.Cryptography;

namespace Evidence.Overload;

/// <summary>The other process: serves handlers that compute, until its standard input ends.</summary>
internal static class BurnerServer
{
    /// <param name="maxQueueMilliseconds">MaxQueueTime of the server; 0 for none.</param>
    /// <param name="rounds">Work of each call.</param>
    public static void Serve(int maxQueueMilliseconds, int rounds)
    {
        var options = new MuxServerOptions { Address = "mux://127.0.0.1:0" };
        if (maxQueueMilliseconds > 0) options.MaxQueueTime = TimeSpan.FromMilliseconds(maxQueueMilliseconds);
        var server = new MuxServer(options).AddService<IBurner>(new Burner(rounds));
        server.Start();
        Console.WriteLine(server.Address);
        Console.In.ReadToEnd();
        Environment.Exit(0); // with it goes what is queued
    }

    /// <summary>Rounds of work that take so long now: the median of nine measurements.</summary>
    public static int RoundsOf(int milliseconds)
    {
        const int Rounds = 20_000;
        var times = new double[9];
        Hash(Rounds);
        for (int index = 0; index < times.Length; index++)
        {
            long start = Stopwatch.GetTimestamp();
            Hash(Rounds);
            times[index] = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        }

        Array.Sort(times);
        return (int)(Rounds * milliseconds / times[times.Length / 2]);
    }

    private static void Hash(int rounds)
    {
        Span<byte> block = stackalloc byte[SHA256.HashSizeInBytes];
        for (int round = 0; round < rounds; round++) SHA256.HashData(block, block);
    }

    /// <summary>The same work in each call, however many threads share the processors: a handler that watched the clock would do less when there are more of them.</summary>
    private sealed class Burner(int rounds) : IBurner
    {
        public ValueTask<int> Burn(int number)
        {
            Hash(rounds);
            return new(number);
        }
    }
}
