using System.Diagnostics;

namespace Mux.Transports.InMemory;

/// <summary>
/// The single event queue of a transport, in order of cause. Runs one event at a time, so that no two callbacks of the transport overlap, except that user code
/// that blocks in one of them loses the pump: another thread takes over, as from a loop of sockets.
/// </summary>
internal sealed class InMemoryPump(bool manual) : IThreadPoolWorkItem
{
    // After this many events the pump queues itself again after the pool's other work: two links that never stop talking must not keep a thread.
    private const int EventsPerWorkItem = 256;

    private readonly Queue<(InMemoryLink Link, InMemoryEventKind Kind)> _events = new();

    // Automatic mode: queued on the pool or running there. Manual mode: inside a call of Pump or PumpOne.
    private bool _active;

    /// <summary>Guards the queue and all state of the transport's links, pipes and listeners. Never held while a callback runs.</summary>
    public Lock Gate { get; } = new();

    /// <summary>True if another thread may take over. Not in manual mode: the test runs the events on its own thread.</summary>
    public bool CanHandOver => !manual;

    /// <summary>Pumps in place of a thread that user code keeps. On the thread that has taken over.</summary>
    public void GoOn() => ((IThreadPoolWorkItem)this).Execute();

    /// <summary>Appends an event. Requires the gate.</summary>
    public void PostLocked(InMemoryLink link, InMemoryEventKind kind)
    {
        Debug.Assert(Gate.IsHeldByCurrentThread);
        _events.Enqueue((link, kind));
        if (manual || _active) return;
        _active = true;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Manual mode: runs up to <paramref name="limit"/> events on this thread.</summary>
    /// <returns>Number of events run.</returns>
    /// <exception cref="InvalidOperationException">The pump is automatic, or another caller is pumping.</exception>
    public int Pump(int limit)
    {
        const string Option = $"{nameof(InMemoryTransportOptions)}.{nameof(InMemoryTransportOptions.ManualPump)}";
        if (!manual) throw new InvalidOperationException($"This transport pumps automatically: set {Option} to pump it yourself.");
        lock (Gate)
        {
            if (_active) throw new InvalidOperationException("The transport is being pumped: by another thread, or by this thread further up its stack.");
            _active = true;
        }

        try
        {
            int events = 0;
            while (events < limit && TryRunOne()) events++;
            return events;
        }
        finally
        {
            lock (Gate) _active = false;
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        for (int events = 0; events < EventsPerWorkItem; events++)
        {
            if (!TryRunOne()) return; // nothing is left, or another thread has taken over
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private bool TryRunOne()
    {
        (InMemoryLink Link, InMemoryEventKind Kind) next;
        lock (Gate)
        {
            if (!_events.TryDequeue(out next))
            {
                if (!manual) _active = false;
                return false;
            }
        }

        return next.Link.Run(next.Kind);
    }
}
