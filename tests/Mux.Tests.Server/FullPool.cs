using Mux.Tests.Contracts;
using Mux.Transports.InMemory;

namespace Mux.Tests.Server;

#pragma warning disable VSTHRD002, VSTHRD103, CA1849, MUX0049 // blocking is what is tested

/// <summary>Tasks that block all threads of a pool that cannot grow, on calls over an in-memory network.</summary>
internal static class FullPool
{
    private const int Threads = 4;
    private const int Tasks = 100;

    /// <summary>Writes the number of the calls that were answered, when all have ended.</summary>
    public static void Run()
    {
        ThreadPool.SetMinThreads(Threads, Threads);
        ThreadPool.SetMaxThreads(Threads, Threads);
        var transport = new InMemoryTransport();
        using var server = new MuxServer(new MuxServerOptions { Address = "mux://server:7070", Transport = transport }).AddService<IDesk>(new PromptDesk());
        server.Start();
        using var channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://server:7070", Transport = transport });
        var desk = channel.CreateProxy<IDesk>();
        var tasks = Enumerable.Range(0, Tasks).Select(id => Task.Run(() => desk.AskPlainly(new Question { Id = id }).AsTask().GetAwaiter().GetResult().Id == id)).ToArray();
        Console.Out.WriteLine(tasks.Count(task => task.Result)); // waits on this thread, which is none of the pool
        Console.In.ReadLine();
    }
}
