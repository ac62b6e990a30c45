using System.Diagnostics;
using System.Globalization;
using Evidence;
using Evidence.Programs;
using Evidence.Topics;
using FanOut.Stacks;

namespace FanOut.Rounds;

/// <summary>A feed in a process of its own, and its receivers in another.</summary>
internal sealed class FeedProcess : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly Process _server;
    private readonly FrameCounter _receivers;
    private readonly int _connections;
    private readonly int _countedLength;
    private readonly bool _isHub;
    private long _deliveries; // that must have been counted by now

    private FeedProcess(Process server, FrameCounter receivers, int connections, int countedLength, bool isHub) =>
        (_server, _receivers, _connections, _countedLength, _isHub) = (server, receivers, connections, countedLength, isHub);

    public static async Task<FeedProcess> StartAsync(string name, int connections)
    {
        var server = Process.Start(new ProcessStartInfo("dotnet", [Environment.GetCommandLineArgs()[0], "serve", name, Text(connections)]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        string[] place = (await server.StandardOutput.ReadLineAsync() ?? throw new EvidenceException($"The server of {name} has ended: see above.")).Split(' ');
        int port = int.Parse(place[0], CultureInfo.InvariantCulture);
        bool isHub = name != "mux";
        var receivers = isHub
            ? await FrameCounter.StartWebSocketsAsync(port, connections, HubHello.Of(name.Split('-')[1]))
            : await FrameCounter.StartAsync(port, connections, isStuck: false, Feed.ItemLength, FeedHello.Of("fanout.Items/Watch", int.MaxValue));
        var process = new FeedProcess(server, receivers, connections, int.Parse(place[1], CultureInfo.InvariantCulture), isHub);
        for (var watch = Stopwatch.StartNew(); (await process.AskAsync(0)).Subscribers < connections; await Task.Delay(10))
        {
            if (watch.Elapsed > s_patience) throw new EvidenceException($"{name} has not got all of {connections} connections.");
        }

        return process;
    }

    /// <summary>Publishes for some time, and waits until every connection has every item.</summary>
    /// <exception cref="EvidenceException">Not all of them came.</exception>
    public async Task<FanOutFigures> RunAsync(double seconds)
    {
        var (server, receivers) = (await AskAsync(0), await _receivers.CountAsync());
        var watch = Stopwatch.StartNew();
        long deliveries = (await AskAsync(seconds)).Published * _connections;
        _deliveries += deliveries;
        FrameCounts counts;
        while (ItemsOf(counts = await _receivers.CountAsync()) < _deliveries)
        {
            if (watch.Elapsed > s_patience) throw new EvidenceException($"Of {_deliveries} items only {ItemsOf(counts)} came.");
            await Task.Delay(1);
        }

        double elapsed = watch.Elapsed.TotalSeconds;
        if (ItemsOf(counts) > _deliveries) throw new EvidenceException($"{ItemsOf(counts)} items came, and {_deliveries} were sent.");
        var after = await AskAsync(0);
        return new FanOutFigures(
            deliveries / elapsed, (after.ProcessorMicroseconds - server.ProcessorMicroseconds) / deliveries,
            (counts.ProcessorMicroseconds - receivers.ProcessorMicroseconds) / deliveries, (after.Bytes - server.Bytes) / (double)deliveries);
    }

    public void Dispose()
    {
        _receivers.Dispose();
        _server.StandardInput.Close();
        _server.WaitForExit();
        _server.Dispose();
    }

    private double ItemsOf(FrameCounts counts) => _isHub ? (counts.Payload - (HubHello.AnswerLength * (double)_connections)) / _countedLength : counts.Items;

    private async Task<FeedTotals> AskAsync(double seconds)
    {
        await _server.StandardInput.WriteLineAsync(seconds.ToString(CultureInfo.InvariantCulture));
        return FeedTotals.Parse(await _server.StandardOutput.ReadLineAsync() ?? throw new EvidenceException("The server has ended: see above."));
    }

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
