// The program that BeetleX was known for, on Mux: 10 connections with 200 calls in flight each, every reply makes the next call.
//   dotnet run -c Release                    starts a server process of its own and loads it until Ctrl-C
//   dotnet run -c Release -- server ADDRESS  only the server; then: dotnet run -c Release -- client ADDRESS
using System.Diagnostics;
using MillionRps;
using Mux;

const int Connections = 10, InFlight = 200;
const string DefaultAddress = "mux://127.0.0.1:7071";
var address = args.ElementAtOrDefault(1) ?? DefaultAddress;
using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, e) =>
{
    e.Cancel = true;
    stop.Cancel();
};

switch (args.ElementAtOrDefault(0))
{
    case "server":
        await ServeAsync();
        break;
    case "client":
        await LoadAsync();
        break;
    default:
        using (var server = Process.Start(Environment.ProcessPath!, ["server", address]))
        {
            await LoadAsync();
            server.Kill();
        }

        break;
}

async Task ServeAsync()
{
    await using var server = new MuxServer(address).AddService<IDirectory>(new DirectoryService());
    server.Start();
    Console.WriteLine($"Serving at {server.Address}.");
    await Task.Delay(Timeout.Infinite, stop.Token).ContinueWith(_ => { }, TaskScheduler.Default);
}

async Task LoadAsync()
{
    var channel = await ConnectAsync();
    var directory = channel.CreateProxy<IDirectory>();
    var levels = new Levels();
    var loops = Enumerable.Range(0, Connections * InFlight).Select(_ => LoopAsync(directory, levels)).ToArray();
    using var second = new PeriodicTimer(TimeSpan.FromSeconds(1));
    long before = 0;
    while (!stop.IsCancellationRequested)
    {
        await second.WaitForNextTickAsync();
        long total = channel.GetStatistics().CallsCompleted;
        Console.WriteLine($"{total - before,12:N0} calls/s   {levels}");
        before = total;
    }

    await Task.WhenAll(loops);
    await channel.DisposeAsync();
}

// The server process may need a moment until it listens: a failed connect says so, and the next one comes after a pause.
async Task<MuxChannel> ConnectAsync()
{
    var channel = MuxChannel.Create(new MuxChannelOptions { Address = address, MinConnections = Connections, MaxConnections = Connections });
    while (true)
    {
        try
        {
            await channel.ConnectAsync(stop.Token);
            return channel;
        }
        catch (MuxException e) when (e.Status == MuxStatus.Unavailable)
        {
            Console.WriteLine(e.Message);
        }
    }
}

// Code after this await runs on the thread that received the reply: it must not block.
async Task LoopAsync(IDirectory directory, Levels levels)
{
    while (!stop.IsCancellationRequested)
    {
        double sent = Now();
        var employee = await directory.Search(new SearchEmployee { Id = 1, RequestTime = sent });
        if (employee.RequestTime != sent) throw new InvalidOperationException("A reply to another call.");
        levels.Add(Now() - sent);
    }
}

static double Now() => Stopwatch.GetTimestamp() * 1000.0 / Stopwatch.Frequency;
