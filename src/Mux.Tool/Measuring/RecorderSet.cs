namespace Mux.Tool.Measuring;

/// <summary>
/// Recorders of all threads that receive replies. A recorder belongs to a thread, not to a connection: a reply that arrives before it is awaited continues on
/// the caller's thread, while the connection's other replies arrive on another.
/// </summary>
internal sealed class RecorderSet
{
    [ThreadStatic]
    private static ThreadRecorders? t_recorders;

    [ThreadStatic]
    private static RecorderSet? t_owner;

    private readonly Lock _gate = new(); // guards the list
    private readonly List<ThreadRecorders> _threads = [];

    /// <summary>Recorders of the calling thread.</summary>
    public ThreadRecorders Current => t_owner == this ? t_recorders! : Add();

    /// <summary>Sets a histogram to the sum over all threads. Thread-safe with a separate histogram per caller.</summary>
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
