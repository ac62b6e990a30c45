namespace Mux.Tests.Server;

/// <summary>Takes all handles that the process may still open, until it is told to let them go. For one use.</summary>
internal sealed class HandleHoard : IDisposable
{
    private const int PoolThreads = 8;

    private static readonly CountdownEvent s_threads = new(PoolThreads); // there are as many at once when it is set

    private readonly Stack<IDisposable> _handles = [];

    /// <returns>What to answer: by then it is done.</returns>
    public string Obey(string command)
    {
        if (command == "take")
        {
            Take();
            return "taken";
        }

        Dispose();
        return "freed";
    }

    public void Dispose()
    {
        while (_handles.TryPop(out var handle)) handle.Dispose();
    }

    private void Take()
    {
        FillThreadPool();
        try
        {
            while (true) _handles.Push(File.OpenHandle("/dev/null", FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
        }
        catch (IOException)
        {
            // There are no more.
        }
    }

    /// <summary>A thread of .NET needs handles to begin, and the runtime ends a process whose pool cannot have one: what is there is all that it gets, and stays for 20 s without work.</summary>
    private static void FillThreadPool()
    {
        ThreadPool.SetMinThreads(PoolThreads, PoolThreads);
        ThreadPool.SetMaxThreads(PoolThreads, PoolThreads);
        for (int i = 0; i < PoolThreads; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static _ =>
            {
                s_threads.Signal();
                s_threads.Wait();
            }, null);
        }

        s_threads.Wait();
    }
}
