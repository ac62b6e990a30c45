using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

/// <summary>A server whose handlers block.</summary>
internal static class Front
{
    private static readonly ManualResetEventSlim s_end = new();

    /// <param name="backAddress">The server that it calls.</param>
    /// <param name="maxThreads">For handlers, and for the code after calls; null for the default. With a limit, the .NET thread pool is kept from helping.</param>
    public static async Task RunAsync(string backAddress, int? maxThreads)
    {
        if (maxThreads is { } threads) MuxWorkers.MaxThreads = threads;
        using var logs = new EventLog("WorkStalled", "WorkRefused");
        using var wake = new ManualResetEventSlim();
        await using var toBack = MuxChannel.Create(backAddress);
        MuxChannel? toSelf = null;
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0" }, logs);
        server.AddService<IBlocking>(new Blocking(toBack.CreateProxy<IDesk>(), () => toSelf!.CreateProxy<IBlocking>(), wake)).Start();
        await using var self = toSelf = MuxChannel.Create(server.Address.ToString());
        await Task.WhenAll(toBack.ConnectAsync(), self.ConnectAsync());
        if (maxThreads is not null) BlockThreadPool();
        Console.Out.WriteLine(server.Address.ToString());
        while (Console.In.ReadLine() is not null) wake.Set(); // on this thread: the pool may be blocked
        wake.Set();
        s_end.Set();
    }

    private static void BlockThreadPool()
    {
        const int Threads = 4;
        ThreadPool.SetMinThreads(Threads, Threads);
        ThreadPool.SetMaxThreads(Threads, Threads);
        int others = Thread.CurrentThread.IsThreadPoolThread ? Threads - 1 : Threads;
        using var blocked = new CountdownEvent(others);
        for (int i = 0; i < others; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                static blocked =>
                {
                    blocked.Signal();
                    s_end.Wait();
                },
                blocked,
                preferLocal: false);
        }

        blocked.Wait();
    }
}
