// How calls fail and what their callers are told: dotnet run -c Release
using Errors;
using Mux;

await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", MaxMessageBytes = 64 * 1024 }).AddService<IAccounts>(new Accounts());
server.Start();
await using var channel = await MuxChannel.ConnectAsync(server.Address.ToString());
var accounts = channel.CreateProxy<IAccounts>();

// Metadata goes with the request and comes back with the reply, or with the failure.
var response = new MuxMetadata();
var options = new MuxCallOptions { Metadata = new() { ["tenant"] = "ada" }, ResponseMetadata = response, Timeout = TimeSpan.FromMilliseconds(200) };
Console.WriteLine($"Balance: {await accounts.Balance(1, options)}, served by {response["served-by"]}\n");

await TellAsync("The handler threw a MuxException", async () => await accounts.Balance(9, options));
await TellAsync("The handler threw something else; its text stays at the server", async () => await accounts.Balance(2, options));
await TellAsync("Nothing was heard within the deadline", async () => await accounts.Balance(3, options));
await TellAsync("The request is above the server's MaxMessageBytes", async () => await accounts.Import(new byte[100_000]));
await using var nowhere = MuxChannel.Create("mux://127.0.0.1:1");
await TellAsync("Nobody listens", async () => await nowhere.CreateProxy<IAccounts>().Balance(1));

// Failures as values, with what the contract declares to come with them.
foreach (int amount in (int[])[60, 60, 40])
{
    var result = await accounts.Withdraw(1, amount);
    while (result.Failure is { Detail: Throttled throttled, RetryAfter: { } pause })
    {
        Console.WriteLine($"Withdraw {amount}: throttled to {throttled.CallsPerSecond} calls per second, again in {pause.TotalMilliseconds:0} ms");
        await Task.Delay(pause);
        result = await accounts.Withdraw(1, amount);
    }

    if (result.TryGetValue(out int balance)) Console.WriteLine($"Withdraw {amount}: {balance} left");
    else if (result.Failure!.Detail is TooLittle little) Console.WriteLine($"Withdraw {amount}: {result.Failure.Status}, {little.Missing} missing");
    else throw new MuxException(result.Failure!);
}

static async Task TellAsync(string title, Func<Task> call)
{
    try
    {
        await call();
    }
    catch (MuxException e)
    {
        var advice = e.Execution switch
        {
            MuxExecution.NotExecuted => "no handler was started: sending it again is safe",
            MuxExecution.MayHaveExecuted => "nobody knows whether it ran",
            _ => "the handler ran",
        };
        Console.WriteLine($"{title}:\n  {e.Status} in phase {e.Phase}: {e.Message}\n  {e.Execution}: {advice}\n");
    }
}
