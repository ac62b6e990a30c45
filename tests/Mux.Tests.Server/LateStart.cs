using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

#pragma warning disable VSTHRD002, VSTHRD103, CA1849, MUX0049 // blocking is what is tested

/// <summary>A server that starts in a process whose .NET thread pool is full of blocked work, and a client beside it.</summary>
internal static class LateStart
{
    private const int Blocked = 300;

    /// <summary>
    /// Writes the address when the server listens. Answers each line by the id of a reply to a call that this process makes to its own server, over a connection that it
    /// dials for it.
    /// </summary>
    public static void Run()
    {
        using var end = new ManualResetEventSlim();
        using var begun = new ManualResetEventSlim();
        for (int i = 0; i < Blocked; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    begun.Set();
                    end.Wait();
                },
                null);
        }

        begun.Wait();
        using var server = new MuxServer("mux://127.0.0.1:0").AddService<IDesk>(new PromptDesk());
        server.Start();
        Console.Out.WriteLine(server.Address.ToString());
        for (int id = 1; Console.In.ReadLine() is not null; id++) // on this thread: the pool is blocked
        {
            using var channel = MuxChannel.Create(server.Address.ToString());
            Console.Out.WriteLine(channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = id }).AsTask().Result.Id);
        }

        end.Set();
    }
}
