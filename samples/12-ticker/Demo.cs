using System.Globalization;

namespace Ticker;

/// <summary>The market and its subscribers in one process.</summary>
public static class Demo
{
    public static async Task RunAsync(int perSecond, int subscribers, int seconds, TextWriter output, CancellationToken stop)
    {
        await using var market = Market.Start("mux://127.0.0.1:0");
        await using var all = await Subscribers.StartAsync(market.Address, subscribers);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(stop);
        var publishing = market.PublishAsync(perSecond, end.Token);
        while (!stop.IsCancellationRequested && all.All.Any(subscriber => subscriber.Received == 0)) await Task.Delay(10, CancellationToken.None);
        await View.ShowAsync(all, output, TimeSpan.FromSeconds(1), seconds, stop);
        await end.CancelAsync();
        await publishing;
        var done = market.Statistics;
        await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture,
            $"{done.Published:N0} ticks published, each encoded {(double)done.Encoded / Math.Max(1, done.Published):N0} time; {done.Delivered:N0} sent to {done.Subscribers:N0} subscribers, {done.Missed:N0} missed by slow ones."));
    }
}
