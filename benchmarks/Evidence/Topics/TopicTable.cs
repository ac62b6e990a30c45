using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Topics;

/// <summary>What it costs to publish to many subscribers, how soon the last one has an item, and what one that never reads does to the others.</summary>
internal static class TopicTable
{
    private const double DeliveriesGoal = 3_000_000, ProcessorGoal = 0.25, LastGoal = 10, OthersGoal = 0.98;
    private const int Rate = 100;
    private const int RatedRounds = 7;
    private const double RatedSeconds = 2, WarmupSeconds = 3;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int pairs = options.Count("--pairs", 21, 1, 1_000), connections = options.Count("--connections", 1_000, 2, 8_000);
        double seconds = options.Seconds("--seconds", 0.5);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {pairs} pairs of rounds of {seconds} s; {connections} connections with a subscriber each, items of {FeedServer.ItemLength} bytes; publisher and server in one process, receivers{(FrameCounter.IsThere ? " in C" : "")} in another");
        Console.WriteLine();
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-feed", $"{2 * connections}"]);
        await using var channel = await MuxChannel.ConnectAsync(server.AddressOf());
        var feed = channel.CreateProxy<IFeed>();
        var (alone, beside) = await MeasurePairsAsync(server, feed, connections, pairs, seconds);
        var last = await MeasureLastAsync(server, feed, connections);
        var bare = await BareSends.MeasureAsync(connections, RatedRounds, Rate, RatedSeconds);
        double rate = Estimate.MedianOf(alone.Select(Deliveries)), processor = Estimate.MedianOf(alone.Select(use => use.ProcessorMicroseconds / use.Delivered));
        double share = (connections - 1d) / connections; // of the deliveries that the others get if all read
        var others = Estimate.Of([.. alone.Zip(beside, (all, stuck) => Deliveries(stuck) / (share * Deliveries(all)))]);
        double p99 = Estimate.MedianOf(last.Select(round => round.Counts.P99));
        bool areEncodesMet = alone.All(use => use.Encoded == use.Published && use.Missed == 0);
        Console.WriteLine("| | measured | goal | |");
        Console.WriteLine("|---|---|---|---|");
        Row($"deliveries/s", $"{rate:N0}", $">= {DeliveriesGoal:N0}", rate >= DeliveriesGoal);
        Row($"processor time of the server per delivery, us", $"{processor:F3}", $"<= {ProcessorGoal}", processor <= ProcessorGoal);
        Row($"bytes allocated per delivery", $"{Estimate.MedianOf(alone.Select(use => (double)use.Bytes / use.Delivered)):F2}", "0 per delivery, an item per publish", areEncodesMet);
        Row($"deliveries per send", $"{Estimate.MedianOf(alone.Select(use => (double)use.Delivered / use.Sends)):F1}", string.Empty, true);
        Row($"items encoded per item published; missed", $"{alone.Sum(use => use.Encoded) / (double)alone.Sum(use => use.Published):F2}; {alone.Sum(use => use.Missed)}", "1; 0", areEncodesMet);
        Row($"deliveries/s to the others if one of the subscribers never reads, of those if it reads, by pairs", $"{others.ToString("F2")}", $">= {OthersGoal}", others.Median >= OthersGoal);
        Row($"kept for it, KiB", $"{beside.Max(use => use.KeptBytes) / 1024}", "its queue of 1,024 items", true);
        Row($"p99 from publish to the last subscriber at {Rate} items/s, ms", $"{p99:F2}", $"<= {LastGoal}", p99 <= LastGoal);
        Row($"the same, median; longest", $"{Estimate.MedianOf(last.Select(round => round.Counts.Median)):F2}; {last.Max(round => round.Counts.Longest):F2}", string.Empty, true);
        Row($"processor time per delivery at this rate, us: server; receivers", $"{Estimate.MedianOf(last.Select(round => round.Server)):F1}; {Estimate.MedianOf(last.Select(round => round.Receivers)):F1}", string.Empty, true);
        if (bare.Count > 0)
        {
            Row($"p99, median of a C program that only sends, ms", $"{Estimate.MedianOf(bare.Select(round => round.Counts.P99)):F2}; {Estimate.MedianOf(bare.Select(round => round.Counts.Median)):F2}", string.Empty, true);
            Row($"processor time of its sends, us: sender; receivers", $"{Estimate.MedianOf(bare.Select(round => round.Sender)):F1}; {Estimate.MedianOf(bare.Select(round => round.Receivers)):F1}", string.Empty, true);
        }

        return rate >= DeliveriesGoal && processor <= ProcessorGoal && areEncodesMet && others.Median >= OthersGoal && p99 <= LastGoal ? 0 : 1;
    }

    private static double Deliveries(FeedUsage use) => use.Delivered / use.Seconds;

    private static void Row(FormattableString what, FormattableString measured, string goal, bool isMet) => Console.WriteLine(
        $"| {FormattableString.Invariant(what)} | {FormattableString.Invariant(measured)} | {goal} | {(goal.Length == 0 ? string.Empty : Verdict.Of(isMet))} |");

    /// <summary>
    /// Rounds in which all subscribers read, and rounds in which one of them never does, one right after the other, in an order that changes: what else the
    /// machine does meets both. This one subscribes for each round, so that nothing else differs.
    /// </summary>
    private static async Task<(List<FeedUsage> Alone, List<FeedUsage> Beside)> MeasurePairsAsync(RunningServer server, IFeed feed, int connections, int pairs, double seconds)
    {
        var (alone, beside) = (new List<FeedUsage>(), new List<FeedUsage>());
        using var others = await SubscribeAsync(server, feed, connections - 1, isStuck: false, before: 0);
        await feed.Publish(WarmupSeconds, 0, connections - 1); // compiled by then
        for (int round = 0; round < 2 * pairs; round++)
        {
            bool isStuck = round % 4 is 1 or 2;
            using (await SubscribeAsync(server, feed, 1, isStuck, before: connections - 1))
            {
                (isStuck ? beside : alone).Add(await feed.Publish(seconds, 0, isStuck ? connections - 1 : connections));
            }

            while (await feed.Subscribers() >= connections) await Task.Delay(10);
        }

        return (alone, beside);
    }

    private static async Task<List<(FrameCounts Counts, double Server, double Receivers)>> MeasureLastAsync(RunningServer server, IFeed feed, int connections)
    {
        while (await feed.Subscribers() > 0) await Task.Delay(10);
        using var readers = await SubscribeAsync(server, feed, connections, isStuck: false, before: 0);
        var last = new List<(FrameCounts, double, double)>();
        for (int round = 0; round <= RatedRounds; round++)
        {
            var before = await readers.CountAsync();
            var use = await feed.Publish(RatedSeconds, Rate, connections);
            var after = await readers.CountAsync();
            if (after.Complete < use.Published / 2) throw new EvidenceException($"Of {use.Published} items, only {after.Complete} came to all subscribers.");
            if (round > 0) last.Add((after, use.ProcessorMicroseconds / use.Delivered, (after.ProcessorMicroseconds - before.ProcessorMicroseconds) / use.Delivered)); // compiled by then
        }

        return last;
    }

    private static async Task<FrameCounter> SubscribeAsync(RunningServer server, IFeed feed, int connections, bool isStuck, int before)
    {
        var receivers = await FrameCounter.StartAsync(server.Port, connections, isStuck, FeedServer.ItemLength, FeedHello.Of("evidence.Feed/Watch", isStuck ? 4_096 : int.MaxValue));
        while (await feed.Subscribers() < before + connections) await Task.Delay(10);
        return receivers;
    }
}
