using System.Globalization;

namespace Ticker;

/// <summary>Shows once in a while what the subscribers get: in a terminal the whole board in place, elsewhere a line.</summary>
public static class View
{
    private const string Clear = "\u001b[H\u001b[J"; // the cursor goes to the upper left corner, and everything below it is erased

    public static async Task ShowAsync(Subscribers subscribers, TextWriter output, TimeSpan interval, int seconds, CancellationToken stop)
    {
        bool isTerminal = output == Console.Out && !Console.IsOutputRedirected;
        using var timer = new PeriodicTimer(interval);
        var (received, missed) = (subscribers.Received, subscribers.Missed);
        if (!isTerminal) await output.WriteLineAsync(Title);
        try
        {
            for (int shown = 0; shown < seconds && await timer.WaitForNextTickAsync(stop); shown++)
            {
                var (now, missedNow) = (subscribers.Received, subscribers.Missed);
                var line = Line(subscribers, (now - received) / interval.TotalSeconds, (missedNow - missed) / interval.TotalSeconds);
                await output.WriteLineAsync(isTerminal ? $"{Clear}{Title}\n{line}\n\n{subscribers.Board.Render()}" : line);
                (received, missed) = (now, missedNow);
            }
        }
        catch (OperationCanceledException)
        {
            // The user has seen enough.
        }
    }

    private static string Title => "subscribers   ticks/s of all      of each   missed of each   newest tick, ms";

    private static string Line(Subscribers subscribers, double received, double missed) => string.Create(CultureInfo.InvariantCulture,
        $"{subscribers.All.Count,11:N0}{received,17:N0}{received / subscribers.All.Count,13:N0}{missed / subscribers.All.Count,17:N0}{subscribers.Board.Delay.TotalMilliseconds,18:N1}");
}
