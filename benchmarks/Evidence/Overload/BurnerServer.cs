using System.Diagnostics;
using System.Security.Cryptography;

namespace Evidence.Overload;

/// <summary>The other process: serves handlers that compute, until its standard input ends.</summary>
internal static class BurnerServer
{
    /// <param name="maxQueueMilliseconds">MaxQueueTime of the server; 0 for none.</param>
    public static void Serve(int maxQueueMilliseconds)
    {
        var options = new MuxServerOptions { Address = "mux://127.0.0.1:0" };
        if (maxQueueMilliseconds > 0) options.MaxQueueTime = TimeSpan.FromMilliseconds(maxQueueMilliseconds);
        var server = new MuxServer(options).AddService<IBurner>(new Burner());
        server.Start();
        Console.WriteLine(server.Address);
        Console.In.ReadToEnd();
        Environment.Exit(0); // with it goes what is queued
    }

    /// <summary>The same work in each call, however many threads share the processors: a handler that watched the clock would do less when there are more of them.</summary>
    private sealed class Burner : IBurner
    {
        private readonly int _rounds = Calibrate();

        public ValueTask<int> Burn(int number)
        {
            Hash(_rounds);
            return new(number);
        }

        private static int Calibrate()
        {
            Hash(20_000);
            const int Rounds = 50_000;
            long start = Stopwatch.GetTimestamp();
            Hash(Rounds);
            return (int)(Rounds * 2 / Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        private static void Hash(int rounds)
        {
            Span<byte> block = stackalloc byte[SHA256.HashSizeInBytes];
            for (int round = 0; round < rounds; round++) SHA256.HashData(block, block);
        }
    }
}
