using System.Diagnostics;
using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Topics;

/// <summary>What it costs to publish to many subscribers, how soon the last one has an item, and what one that never reads does to the others.</summary>
internal static class TopicTable
{
    private const double DeliveriesGoal = 3_000_000, ProcessorGoal = 0.25, LastGoal = 10, OthersGoal = 0.98;
    private const int Rate = 100;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100), connections = options.Count("--connections", 1_000, 1, 8_000);
        double seconds = options.Seconds("--seconds", 2);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds of {seconds} s; {connections} connections with a subscriber each, items of {FeedServer.ItemLength} bytes; publisher and server in one process, receivers in another");
        Console.WriteLine();
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-feed", $"{2 * connections}"]);
        await using var channel = await MuxChannel.ConnectAsync(server.AddressOf());
        var feed = channel.CreateProxy<IFeed>();
        var all = await MeasureAsync(server, feed, connections, stuck: 0, rounds, seconds);
        var beside = await MeasureAsync(server, feed, connections, stuck: 1, rounds, seconds);
        double last = await MeasureLastAsync(server, feed, connections, rounds, seconds);
        double rate = Estimate.MedianOf(all.Select(Deliveries)), processor = Estimate.MedianOf(all.Select(use => use.ProcessorMicroseconds / use.Delivered));
        double others = Estimate.MedianOf(beside.Select(Deliveries)) / rate;
        bool areEncodesMet = all.All(use => use.Encoded == use.Published && use.Missed == 0);
        Console.WriteLine("| | measured | goal | |");
        Console.WriteLine("|---|---|---|---|");
        Row($"deliveries/s", $"{rate:N0}", $">= {DeliveriesGoal:N0}", rate >= DeliveriesGoal);
        Row($"processor time of the server per delivery, us", $"{processor:F3}", $"<= {ProcessorGoal}", processor <= ProcessorGoal);
        Row($"bytes allocated per delivery", $"{Estimate.MedianOf(all.Select(use => (double)use.Bytes / use.Delivered)):F2}", "0 per delivery, an item per publish", areEncodesMet);
        Row($"deliveries per send", $"{Estimate.MedianOf(all.Select(use => (double)use.Delivered / use.Sends)):F1}", string.Empty, true);
        Row($"items encoded per item published; missed", $"{all.Sum(use => use.Encoded) / (double)all.Sum(use => use.Published):F2}; {all.Sum(use => use.Missed)}", "1; 0", areEncodesMet);
        Row($"deliveries/s beside a subscriber that never reads, of those without", $"{others:F2}", $">= {OthersGoal}", others >= OthersGoal);
        Row($"kept for it, KiB", $"{beside.Max(use => use.KeptBytes) / 1024}", "its queue of 1,024 items", true);
        Row($"p99 from publish to the last subscriber at {Rate} items/s, ms", $"{last:F2}", $"<= {LastGoal}", last <= LastGoal);
        return rate >= DeliveriesGoal && processor <= ProcessorGoal && areEncodesMet && others >= OthersGoal && last <= LastGoal ? 0 : 1;
    }

    private static double Deliveries(FeedUsage use) => use.Delivered / use.Seconds;

    private static void Row(FormattableString what, FormattableString measured, string goal, bool isMet) => Console.WriteLine(
        $"| {FormattableString.Invariant(what)} | {FormattableString.Invariant(measured)} | {goal} | {(goal.Length == 0 ? string.Empty : Verdict.Of(isMet))} |");

    private static async Task<List<FeedUsage>> MeasureAsync(RunningServer server, IFeed feed, int connections, int stuck, int rounds, double seconds)
    {
        using var receivers = await SubscribeAsync(server, feed, connections, stuck, times: false);
        await feed.Publish(seconds, 0, connections); // compiled by then
        var uses = new List<FeedUsage>();
        for (int round = 0; round < rounds; round++) uses.Add(await feed.Publish(seconds, 0, connections));
        await EndAsync(receivers, feed);
        return uses;
    }

    private static async Task<double> MeasureLastAsync(RunningServer server, IFeed feed, int connections, int rounds, double seconds)
    {
        using var receivers = await SubscribeAsync(server, feed, connections, stuck: 0, times: true);
        var last = new List<double>();
        for (int round = 0; round <= rounds; round++)
        {
            await feed.Publish(seconds, Rate, connections);
            await receivers.StandardInput.WriteLineAsync();
            string[] figures = (await receivers.StandardOutput.ReadLineAsync())!.Split(' ');
            if (round > 0) last.Add(double.Parse(figures[0], CultureInfo.InvariantCulture)); // compiled by then
        }

        await EndAsync(receivers, feed);
        return Estimate.MedianOf(last);
    }

    private static async Task<Process> SubscribeAsync(RunningServer server, IFeed feed, int connections, int stuck, bool times)
    {
        var receivers = BuiltProgram.Self.Start(["receive-feed", $"{server.Port}", $"{connections}", $"{stuck}", $"{times}"]);
        _ = await receivers.StandardOutput.ReadLineAsync();
        while (await feed.Subscribers() < connections + stuck) await Task.Delay(10);
        return receivers;
    }

    private static async Task EndAsync(Process receivers, IFeed feed)
    {
        receivers.StandardInput.Close();
        await receivers.WaitForExitAsync();
        while (await feed.Subscribers() > 0) await Task.Delay(10);
    }
}
