namespace Mux.Tool.Measuring;

/// <summary>
/// The recorders of all threads that take replies. A recorder belongs to a thread and not to a connection, because a reply that comes before it is awaited goes
/// on at the caller's thread while the connection's replies come on another.
/// </summary>
internal sealed class RecorderSet
{
    [ThreadStatic]
    private static ThreadRecorders? t_recorders;

    [ThreadStatic]
    private static RecorderSet? t_owner;

    private readonly Lock _gate = new(); // guards the list
    private readonly List<ThreadRecorders> _threads = [];

    /// <summary>The calling thread's recorders.</summary>
    public ThreadRecorders Current => t_owner == this ? t_recorders! : Add();

    /// <summary>Makes a histogram the sum over all threads. Safe for concurrent use, each with a histogram of its own.</summary>
    public LatencyHistogram SumInto(LatencyHistogram sum, Measured kind = Measured.Response)
    {
        sum.Clear();
        lock (_gate)
        {
            foreach (var thread in _threads)
            {
                if (thread.Find(kind) is { } recorder) sum.Add(recorder);
            }
        }

        return sum;
    }

    private ThreadRecorders Add()
    {
        var recorders = new ThreadRecorders();
        lock (_gate) _threads.Add(recorders);
        t_owner = this;
        t_recorders = recorders;
        return recorders;
    }
}
