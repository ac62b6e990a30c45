using System.Globalization;
using Evidence;
using FanOut.Rounds;
using FanOut.Stacks;

// The other process: a server that publishes for as many seconds as each line of its input says, and ends with it.
if (args is ["serve", var name, var connections])
{
    await using var feed = await Feed.StartAsync(name, int.Parse(connections, CultureInfo.InvariantCulture));
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{feed.Port} {feed.CountedLength}"));
    while (await Console.In.ReadLineAsync() is { } seconds)
    {
        var time = TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture));
        long published = time > TimeSpan.Zero ? await feed.PublishAsync(time) : 0;
        Console.WriteLine(new FeedTotals(published, feed.Subscribers, Environment.CpuUsage.TotalTime.TotalMicroseconds, GC.GetTotalAllocatedBytes()));
    }

    Environment.Exit(0); // with its connections as they are
}

if (!RunOptions.TryParse(args, out var options))
{
    Console.Error.WriteLine("""
        Usage: dotnet run -c Release --project benchmarks/Peers/FanOut -- [--connections 1000] [--rounds 5] [--seconds 3] [--warmup 2] [--goal 8]
        The same items of 64 bytes to all connections, by a topic of Mux and by a hub of SignalR with JSON and with MessagePack, in turns.
        Exit code 1 if Mux makes less than the goal times the deliveries per second of one of the others, in the median of the rounds. Needs gcc for the receivers.
        """);
    return 2;
}

try
{
    return await FanOutTable.RunAsync(options);
}
catch (EvidenceException error)
{
    Console.Error.WriteLine(error.Message);
    return 1;
}
