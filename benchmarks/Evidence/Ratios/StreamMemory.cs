using System.Globalization;
using System.Text.Json;
using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;

namespace Evidence.Ratios;

/// <summary>What client and server hold at most while one stream echoes many gibibytes, above what a server holds that was started and not called.</summary>
internal static class StreamMemory
{
    private const int GoalMiB = 64;
    private const int ItemBytes = 64 * 1024;

    /// <summary>To see how fast the stream is, and so how long so much takes.</summary>
    private const double TrialSeconds = 2;

    /// <summary>A machine with slow phases still gets it done.</summary>
    private const double Reserve = 1.5;

    /// <summary>Between two looks at the client. The kernel keeps the peak until the process ends, so the last look tells it.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(20);

    public static void Run(CommandLine options)
    {
        double bytes = options.Count("--gibibytes", 10, 1, 1000) * (double)(1 << 30);
        Console.WriteLine($"{Machine.Describe()}, engine {EngineChoice.All[0]}.");
        double rate = MuxTool.Bench(["--workload", "bulk-stream", .. new Timing(TrialSeconds, 1).Arguments]).MegabytesPerSecond * 1e6;
        var timing = new Timing(Math.Ceiling(Reserve * bytes / rate), 0);
        Console.Error.WriteLine($"one stream for {timing.Seconds} s");

        using var server = MuxTool.Serve(CongestionControl.Arguments);
        double idle = Peak(server.ProcessId);
        var file = Path.GetTempFileName();
        try
        {
            double client = RunClient(["bench", server.AddressOf(), "--workload", "bulk-stream", .. timing.Arguments, .. CongestionControl.Arguments, "--quiet", "--json", file]);
            var results = JsonDocument.Parse(File.ReadAllText(file)).RootElement.GetProperty("results");
            double moved = results.GetProperty("calls").GetDouble() * ItemBytes / (1 << 30);
            double byClient = client - idle, byServer = Peak(server.ProcessId) - idle;
            Console.WriteLine($"{moved:F1} GiB each way in one stream: client {byClient:F1} MiB, server {byServer:F1} MiB above the idle process ({idle:F1} MiB); goal {GoalMiB} MiB each, {Verdict.Of(Math.Max(byClient, byServer) <= GoalMiB)}");
        }
        finally
        {
            File.Delete(file);
        }
    }

    /// <returns>The client's peak.</returns>
    private static double RunClient(string[] arguments)
    {
        using var client = BuiltProgram.Tool.Start(arguments);
        client.StandardInput.Close();
        double peak = 0;
        while (!client.WaitForExit(s_interval)) peak = Math.Max(peak, Peak(client.Id));
        return client.ExitCode == 0 ? peak : throw new EvidenceException($"The client ended with exit code {client.ExitCode}.");
    }

    /// <summary>The most that a process had in memory so far, MiB; 0 if it has ended.</summary>
    private static double Peak(int process)
    {
        var lines = File.Exists($"/proc/{process}/status") ? File.ReadAllLines($"/proc/{process}/status") : [];
        var line = Array.Find(lines, line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
        return line is null ? 0 : double.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2], CultureInfo.InvariantCulture) / 1024;
    }
}
