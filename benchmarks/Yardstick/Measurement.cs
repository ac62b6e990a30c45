using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using Mux.Tool.Measuring;

namespace Yardstick;

/// <summary>One run of the client.</summary>
internal static class Measurement
{
    /// <returns>A line of JSON.</returns>
    public static string Run(YardstickOptions options)
    {
        using var server = ServerProcess.Start();
        var recorder = options.Record ? new LatencyRecorder() : null; // one is enough: all replies are taken by one thread
        var loop = new EventLoop();
        var callers = new ClosedLoop[options.Connections];
        for (int i = 0; i < callers.Length; i++)
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Connect(server.EndPoint);
            var connection = new ClientConnection(socket, options.InFlight);
            loop.Add(connection);
            callers[i] = new ClosedLoop(connection, options.InFlight, recorder);
        }

        foreach (var caller in callers) caller.Start();
        Thread.Sleep(TimeSpan.FromSeconds(options.Warmup));

        var latencies = new LatencyHistogram();
        var before = Sum(recorder);
        Usage server0 = server.ReadUsage(), client0 = Usage.Read();
        long calls0 = callers.Sum(caller => caller.Done), start = Stopwatch.GetTimestamp();
        Thread.Sleep(TimeSpan.FromSeconds(options.Seconds));
        long calls = callers.Sum(caller => caller.Done) - calls0;
        double elapsed = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Usage clientUsage = Usage.Read() - client0, serverUsage = server.ReadUsage() - server0;
        latencies.SetDifference(Sum(recorder), before);

        return string.Create(CultureInfo.InvariantCulture, $$"""
            {"connections": {{options.Connections}}, "in_flight": {{options.InFlight}}, "rate": {{calls / elapsed:F0}}, "errors": {{callers.Sum(caller => caller.Errors)}}, "client_cpu_us_per_call": {{clientUsage.CpuMicroseconds / calls:F3}}, "server_cpu_us_per_call": {{serverUsage.CpuMicroseconds / calls:F3}}, "client_bytes_per_call": {{clientUsage.AllocatedBytes / (double)calls:F0}}, "server_bytes_per_call": {{serverUsage.AllocatedBytes / (double)calls:F0}}, "p50_us": {{Percentile(0.5)}}, "p99_us": {{Percentile(0.99)}}, "p999_us": {{Percentile(0.999)}}}
            """);

        string Percentile(double quantile) =>
            options.Record ? (latencies.Percentile(quantile) / 1000.0).ToString("F1", CultureInfo.InvariantCulture) : "null";
    }

    private static LatencyHistogram Sum(LatencyRecorder? recorder)
    {
        var sum = new LatencyHistogram();
        if (recorder is not null) sum.Add(recorder);
        return sum;
    }
}
