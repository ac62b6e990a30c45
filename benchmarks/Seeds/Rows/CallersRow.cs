using Seeds.Contracts;
using Seeds.Load;
using Seeds.Serving;

namespace Seeds.Rows;

/// <summary>The table of dotnet-rpc-benchmark: one channel of three connections, callers that wait for their replies. No more callers may mean fewer calls.</summary>
internal static class CallersRow
{
    private const int Connections = 3;
    private static readonly int[] s_callers = [16, 32, 64, 128, 256];

    public static async Task RunAsync(Plan plan)
    {
        using var server = ServerProcess.Start();
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = server.Address, MinConnections = Connections, MaxConnections = Connections, Transport = SeedTransport.Create() });
        var users = channel.CreateProxy<IUsers>();
        Console.WriteLine($"| calls/s over {Connections} connections | {string.Join(" | ", s_callers.Select(callers => $"{callers} callers"))} | deepest fall |");
        Console.WriteLine($"|---|{string.Concat(s_callers.Select(_ => "---|"))}---|");
        await WriteAsync(plan, "Hello", _ => users.HelloAsync("you"));
        await WriteAsync(plan, "Register", _ => users.RegisterAsync("henry", "henry@example.com", "12345678", "guangzhou", "china"));
        await WriteAsync(plan, "List of 10", _ => users.ListAsync(10));
        await WriteAsync(plan, "Add", caller => users.AddAsync(caller, 1));
    }

    private static async Task WriteAsync<T>(Plan plan, string name, Func<int, ValueTask<T>> call)
    {
        await RunAsync(call, s_callers[^1], plan.Warmup); // compiled by then
        var rates = s_callers.ToDictionary(callers => callers, _ => new List<double>());
        for (int round = 0; round < plan.Rounds; round++)
        {
            foreach (int callers in s_callers) rates[callers].Add(await RunAsync(call, callers, plan.Duration));
        }

        double best = 0;
        double deepest = 0;
        var medians = s_callers.Select(callers => Sample.Median(rates[callers])).ToArray();
        foreach (double median in medians)
        {
            best = Math.Max(best, median);
            deepest = Math.Max(deepest, 1 - median / best);
        }

        Console.WriteLine($"| {name} | {string.Join(" | ", medians.Select(median => $"{median:N0}"))} | {deepest:P1} |");
    }

    private static async Task<double> RunAsync<T>(Func<int, ValueTask<T>> call, int callers, TimeSpan duration)
    {
        var loop = new CallLoop<T>(callers, call);
        await loop.MeasureAsync(TimeSpan.FromMilliseconds(200)); // all of them are there
        double rate = await loop.MeasureAsync(duration);
        await loop.StopAsync();
        return rate;
    }
}
