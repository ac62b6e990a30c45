namespace Mux.Tool.Measuring;

/// <summary>
/// The recorders of all threads that take replies. A recorder belongs to a thread and not to a connection, because a reply that comes before it is awaited goes on
/// at the caller's thread while the connection's replies come on another.
/// </summary>
internal sealed class RecorderSet
{
    [ThreadStatic]
    private static LatencyRecorder? t_recorder;

    [ThreadStatic]
    private static RecorderSet? t_owner;

    private readonly Lock _gate = new(); // guards the list
    private readonly List<LatencyRecorder> _recorders = [];

    /// <summary>The calling thread's recorder.</summary>
    public LatencyRecorder Current => t_owner == this ? t_recorder! : Add();

    /// <summary>Makes a histogram the sum over all threads. Safe for concurrent use, each with a histogram of its own.</summary>
    public LatencyHistogram SumInto(LatencyHistogram sum)
    {
        sum.Clear();
        lock (_gate)
        {
            foreach (var recorder in _recorders) sum.Add(recorder);
        }

        return sum;
    }

    private LatencyRecorder Add()
    {
        var recorder = new LatencyRecorder();
        lock (_gate) _recorders.Add(recorder);
        t_owner = this;
        t_recorder = recorder;
        return recorder;
    }
}
