// Three servers and a client of all of them. Each server is stopped and started again while 50 callers ask: none of them may see an error.
using System.Globalization;
using Cluster;
using Mux;

const int Callers = 50;
int seconds = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 2; // that each step takes

QuoteServer[] servers = [new(0), new(1), new(2)];
foreach (var server in servers) server.Start();

await using var channel = await MuxChannel.ConnectAsync(string.Join(',', servers.Select((server, index) => index == 0 ? server.Address : server.Address[6..])));
var load = new Load(channel.CreateProxy<IQuotes>(), Callers, servers.Length);
using var stop = new CancellationTokenSource();
var running = load.RunAsync(stop.Token);

Console.WriteLine("what happens            calls/s   share of each server     p50 ms   p99 ms  longest  errors");
long total = 0;
await ShowAsync("all three serve");
foreach (var server in servers)
{
    await server.StopAsync();
    await ShowAsync($"server {server.Number} is stopped");
    server.Start();
    await ShowAsync($"server {server.Number} is back");
}

await stop.CancelAsync();
await running;
foreach (var server in servers) await server.DisposeAsync();
Console.WriteLine($"{total:N0} calls, {load.Errors} errors.");
return load.Errors == 0 ? 0 : 1;

async Task ShowAsync(string what)
{
    await Task.Delay(TimeSpan.FromSeconds(seconds));
    var (calls, p50, p99, longest) = load.TakeInterval();
    long sum = calls.Sum();
    total += sum;
    var shares = string.Join("  ", calls.Select(count => $"{100.0 * count / Math.Max(sum, 1),5:0.0} %"));
    Console.WriteLine($"{what,-22}{sum / seconds,10:N0}   {shares}   {p50,8:0.00} {p99,8:0.00} {longest,8:0.00} {load.Errors,7}");
}
