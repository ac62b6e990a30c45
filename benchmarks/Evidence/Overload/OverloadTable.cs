using System.Diagnostics;
using System.Globalization;
using Evidence.Programs;

namespace Evidence.Overload;

/// <summary>A server to which more calls come than it can serve: how many of those it could serve are served in time, with and without the control of its load.</summary>
internal static class OverloadTable
{
    /// <summary>Milliseconds: what a caller waits, MaxQueueTime, and the last time for all calls to be served again after the overload.</summary>
    private const int Patience = 250, MaxQueueTime = 5, RecoveryGoal = 5_000;

    /// <summary>Percent of what the server can do, over all seconds of the overload after the first.</summary>
    private const double Goal = 80;

    private const double QuietPart = 0.5; // of what the server can do, before and after

    // The servers that are compared do the same work: one that measured its own at a slow moment would do less in each call.
    private static readonly int s_rounds = BurnerServer.RoundsOf(milliseconds: 2);

    public static async Task<int> RunAsync(CommandLine options)
    {
        int load = options.Count("--load", 3, 2, 20), seconds = options.Count("--seconds", 8, 3, 60);
        double capacity = await MeasureCapacityAsync();
        Console.WriteLine($"{Machine.Describe()}; handlers compute for 2 ms; {capacity:F0} calls/s when 16 callers wait for each other; callers that come at {load} times that wait {Patience} ms each");
        Console.WriteLine();
        Console.WriteLine("Calls served in time, percent of what the server can do, by the second of the overload:");
        Console.WriteLine();
        Console.WriteLine($"| MaxQueueTime | {string.Join(" | ", Enumerable.Range(1, seconds))} | mean without the first | refused | too late | all served again after |");
        Console.WriteLine($"|---|{string.Concat(Enumerable.Repeat("---|", seconds + 4))}");
        await MeasureAsync(0, load, seconds, capacity);
        var (mean, recovery) = await MeasureAsync(MaxQueueTime, load, seconds, capacity);
        Console.WriteLine();
        Console.WriteLine("Callers that each wait for their reply before they call again, without a deadline; calls refused of all, percent:");
        Console.WriteLine();
        Console.WriteLine("| callers | MaxQueueTime none | 5 ms |");
        Console.WriteLine("|---|---|---|");
        foreach (int callers in new[] { 4, 64 })
        {
            Console.WriteLine($"| {callers} | {await RefusedOfPatientAsync(0, callers):F1} | {await RefusedOfPatientAsync(MaxQueueTime, callers):F1} |");
        }

        Console.WriteLine();
        bool isMet = mean >= Goal && recovery <= RecoveryGoal;
        Console.WriteLine($"with control: {mean:F0} % of what the server can do, goal {Goal:F0} %; all calls served again after {recovery / 1_000:F1} s, goal {RecoveryGoal / 1_000} s: {(isMet ? "met" : "NOT MET")}");
        return isMet ? 0 : 1;
    }

    private static async Task<(double Mean, double Recovery)> MeasureAsync(int maxQueueTime, int load, int seconds, double capacity)
    {
        const int Before = 2, After = 8;
        using var server = Start(maxQueueTime);
        await using var channel = Connect(server, TimeSpan.FromMilliseconds(Patience));
        var loop = new OpenLoop(channel.CreateProxy<IBurner>());
        loop.Run(capacity * QuietPart, Before * 1_000);
        loop.Run(capacity * load, (Before + seconds) * 1_000);
        double end = loop.Now;
        loop.Run(capacity * QuietPart, end + After * 1_000);
        await loop.EndAsync();
        var overloaded = Enumerable.Range(Before, seconds).ToList();
        double[] served = [.. overloaded.Select(second => loop.ServedIn(second) / capacity * 100)];
        double mean = served.Skip(1).Average(), recovery = Math.Max(0, loop.LastFailure - end);
        var cells = string.Join(" | ", served.Select(percent => percent.ToString("F0", CultureInfo.InvariantCulture)));
        Console.WriteLine($"| {(maxQueueTime == 0 ? "none" : $"{maxQueueTime} ms")} | {cells} | {mean:F0} | {overloaded.Sum(loop.RefusedIn)} | {overloaded.Sum(loop.ExpiredIn)} | {recovery / 1_000:F1} s |");
        return (mean, recovery);
    }

    private static async Task<double> MeasureCapacityAsync()
    {
        using var server = Start(0);
        await using var channel = Connect(server, Timeout.InfiniteTimeSpan);
        var sut = channel.CreateProxy<IBurner>();
        await CallAsync(sut, 16, TimeSpan.FromSeconds(1));
        return (await CallAsync(sut, 16, TimeSpan.FromSeconds(4))).Served / 4.0;
    }

    private static async Task<double> RefusedOfPatientAsync(int maxQueueTime, int callers)
    {
        using var server = Start(maxQueueTime);
        await using var channel = Connect(server, Timeout.InfiniteTimeSpan);
        var (served, refused) = await CallAsync(channel.CreateProxy<IBurner>(), callers, TimeSpan.FromSeconds(4));
        return 100.0 * refused / (served + refused);
    }

    private static async Task<(long Served, long Refused)> CallAsync(IBurner sut, int callers, TimeSpan time)
    {
        long start = Stopwatch.GetTimestamp(), served = 0, refused = 0;
        await Task.WhenAll(Enumerable.Range(0, callers).Select(async caller =>
        {
            while (Stopwatch.GetElapsedTime(start) < time)
            {
                try
                {
                    await sut.Burn(caller);
                    Interlocked.Increment(ref served);
                }
                catch (MuxException error) when (error.Status == MuxStatus.ResourceExhausted)
                {
                    Interlocked.Increment(ref refused);
                    await Task.Delay(error.RetryAfter ?? TimeSpan.FromMilliseconds(1));
                }
            }
        }));
        return (served, refused);
    }

    private static RunningServer Start(int maxQueueTime) => RunningServer.Start(BuiltProgram.Self, ["serve-burner", maxQueueTime.ToString(CultureInfo.InvariantCulture), s_rounds.ToString(CultureInfo.InvariantCulture)]);

    private static MuxChannel Connect(RunningServer server, TimeSpan patience) =>
        MuxChannel.Create(new MuxChannelOptions { Address = server.AddressOf(), CallTimeout = patience, DrainTimeout = TimeSpan.Zero });
}
