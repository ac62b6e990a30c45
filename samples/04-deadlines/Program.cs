// How long calls may take, and who decides it: dotnet run -c Release
using System.Diagnostics;
using Deadlines;
using Mux;

// The stock allows no call more than 1 s, whatever its caller asks for.
await using var stockServer = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", MaxCallTimeout = TimeSpan.FromSeconds(1) }).AddService<IStock>(new Stock());
stockServer.Start();
await using var stockChannel = await MuxChannel.ConnectAsync(new MuxChannelOptions { Address = stockServer.Address.ToString(), CallTimeout = TimeSpan.FromMilliseconds(500) });
var stock = stockChannel.CreateProxy<IStock>();

// The front calls the stock by the same channel.
await using var frontServer = new MuxServer("mux://127.0.0.1:0").AddService<IFront>(new Front(stock));
frontServer.Start();
await using var frontChannel = await MuxChannel.ConnectAsync(frontServer.Address.ToString());
var front = frontChannel.CreateProxy<IFront>();

await TellAsync("The method's deadline, 250 ms:", async () => await stock.Count(13));
await TellAsync("The channel's, 500 ms, where the method has none:", async () => await stock.Recount());
await TellAsync("The call's, 100 ms:", async () => await stock.Count(13, new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(100) }));
await TellAsync("The server's, 1 s, although the call asks for an hour:", async () => await stock.Recount(new MuxCallOptions { Timeout = TimeSpan.FromHours(1) }));

// What is left of a call is what the calls have that its handler makes.
await TellAsync("Passed on, 300 ms for all of it:", async () => Console.WriteLine($"  {await front.Offer(5, new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(300) })}"));
await TellAsync("Passed on and too short:", async () => await front.Offer(13, new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(300) }));

// A caller that has lost its interest cancels: no failure of the call, so no MuxException.
using var patience = new CancellationTokenSource(TimeSpan.FromMilliseconds(150));
await TellAsync("The caller's own token, after 150 ms:", async () => await stock.Count(13, cancellationToken: patience.Token));

static async Task TellAsync(string title, Func<Task> call)
{
    Console.WriteLine(title);
    long start = Stopwatch.GetTimestamp();
    string outcome = "went well";
    try
    {
        await call();
    }
    catch (MuxException e)
    {
        outcome = $"{e.Status}, {e.Execution}";
    }
    catch (OperationCanceledException e)
    {
        outcome = $"{e.GetType().Name}";
    }

    var elapsed = Stopwatch.GetElapsedTime(start);
    await Task.Delay(50); // until the handler has heard of it
    Console.WriteLine($"  {outcome} after {elapsed.TotalMilliseconds:0} ms\n");
}
