// A market with 10,000 ticks a second, and 1,000 subscribers of all of them, shown as a table that lives. Ten million items a second take several processors:
// with fewer, the table shows what slow subscribers miss. 'server 1000' and 'client ADDRESS 50' suit any machine.
//   dotnet run -c Release                                      both in one process, for 10 s
//   dotnet run -c Release -- server [TICKS] [ADDRESS]          the market alone: ticks per second, 10000 by default
//   dotnet run -c Release -- client ADDRESS [SUBSCRIBERS]      subscribers of a market, 1000 by default
using System.Globalization;
using Mux;
using Ticker;

using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};

try
{
    switch (args)
    {
        case ["server", .. var rest]:
            await using (var market = Market.Start(rest.Length > 1 ? rest[1] : "mux://127.0.0.1:7070"))
            {
                Console.WriteLine($"{market.Address}; Ctrl+C ends it");
                await market.PublishAsync(Number(rest, 0, 10_000), stop.Token);
            }

            return 0;

        case ["client", var address, .. var rest]:
            await using (var subscribers = await Subscribers.StartAsync(address, Number(rest, 0, 1_000)))
            {
                await View.ShowAsync(subscribers, Console.Out, TimeSpan.FromSeconds(1), seconds: int.MaxValue, stop.Token);
            }

            return 0;

        case []:
            await Demo.RunAsync(perSecond: 10_000, subscribers: 1_000, seconds: 10, Console.Out, stop.Token);
            return 0;

        default:
            Console.Error.WriteLine("Expected nothing, 'server [TICKS] [ADDRESS]' or 'client ADDRESS [SUBSCRIBERS]'.");
            return 2;
    }
}
catch (Exception error) when (error is MuxException or FormatException)
{
    Console.Error.WriteLine(error.Message);
    return 1;
}

static int Number(string[] rest, int index, int otherwise) => rest.Length > index ? int.Parse(rest[index], CultureInfo.InvariantCulture) : otherwise;
