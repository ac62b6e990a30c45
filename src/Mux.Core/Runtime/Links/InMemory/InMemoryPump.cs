using System.Diagnostics;
using Mux.Transports;
using Mux.Transports.InMemory;

namespace Mux.Runtime;

/// <summary>
/// The single event queue of a transport, in order of cause. Runs one event at a time, so that no two callbacks of the transport overlap, except that user code
/// that blocks in one of them loses the pump: another thread takes over, as from a loop of sockets.
/// </summary>
/// <remarks>
/// The pump has a thread of the engine while there are events, and none otherwise. It does not wait for the .NET thread pool: code that blocks all threads of
/// the pool may wait for what the pump delivers.
/// </remarks>
/// <param name="manual">True if the test pumps.</param>
/// <param name="start">Starts a thread that pumps, or says that there is none: that of the engine, or of a test.</param>
internal sealed class InMemoryPump(bool manual, Func<IThreadPoolWorkItem, bool>? start = null) : IThreadPoolWorkItem
{
    // On the .NET pool, the pump queues itself again behind the other work after so many events: two links that never stop talking must not keep its thread.
    private const int EventsOnPool = 256;

    // Looks for an event before the thread goes to sleep, some 20 us, as the .NET pool does: a caller that blocks makes its next call within this time, and to
    // wake a thread costs more than the call. The looks yield: they take no core from that caller.
    private const int Looks = 70;

    private readonly Queue<(InMemoryLink Link, InMemoryEventKind Kind)> _events = new();

    // Automatic mode: a thread runs events, or is about to. Manual mode: inside a call of Pump or PumpOne.
    private bool _active;

    private readonly Lock _gate = new();
    private readonly Func<IThreadPoolWorkItem, bool> _start = start ?? StartLeader;
    private bool _owesThread; // the thread that leaves the gate starts another one, which pumps
    private volatile int _waiting; // number of events, for a look without the gate
    private int _term; // incremented for each thread that takes over

    /// <summary>True if this thread has entered the gate.</summary>
    public bool IsHeldByCurrentThread => _gate.IsHeldByCurrentThread;

    /// <summary>True if another thread may take over. Not in manual mode: the test runs the events on its own thread.</summary>
    public bool CanHandOver => !manual;

    /// <summary>Guards the queue and all state of the transport's links, pipes and listeners. Never held while a callback runs.</summary>
    /// <returns>Leaves when it is disposed. Then a thread starts if events need one: not before, as that may open files.</returns>
    public Entry Enter() => new(this);

    /// <summary>
    /// Pumps in place of a thread that user code keeps, and first ends the delivery that this thread was in. On the thread that has taken over.
    /// </summary>
    public void HandOver(InMemoryLink link, int consumed)
    {
        int term = _term + 1;
        Volatile.Write(ref _term, term);
        try
        {
            if (!link.Continue(consumed)) return;
        }
        catch (Exception error)
        {
            if (Volatile.Read(ref _term) != term) return;
            link.Fail(error);
        }

        Run();
    }

    /// <summary>Appends an event. Requires the gate.</summary>
    public void PostLocked(InMemoryLink link, InMemoryEventKind kind)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        _events.Enqueue((link, kind));
        _waiting = _events.Count;
        if (manual || _active) return;
        _active = _owesThread = true;
    }

    /// <summary>Manual mode: runs up to <paramref name="limit"/> events on this thread.</summary>
    /// <returns>Number of events run.</returns>
    /// <exception cref="InvalidOperationException">The pump is automatic, or another caller is pumping.</exception>
    public int Pump(int limit)
    {
        const string Option = $"{nameof(InMemoryTransportOptions)}.{nameof(InMemoryTransportOptions.ManualPump)}";
        if (!manual) throw new InvalidOperationException($"This transport pumps automatically: set {Option} to pump it yourself.");
        using (Enter())
        {
            if (_active) throw new InvalidOperationException("The transport is being pumped: by another thread, or by this thread further up its stack.");
            _active = true;
        }

        try
        {
            int events = 0;
            while (events < limit && TryTake(out var next) && Run(next)) events++;
            return events;
        }
        finally
        {
            using (Enter()) _active = false;
        }
    }

    void IThreadPoolWorkItem.Execute() => Run();

    private void Run()
    {
        bool isOnPool = Thread.CurrentThread.IsThreadPoolThread;
        int events = 0;
        do
        {
            while (TryTake(out var next))
            {
                if (!Run(next)) return;
                if (!isOnPool || ++events < EventsOnPool) continue;
                QueueOnPool();
                return;
            }
        }
        while ((!isOnPool && Poll()) || !TryRest());
    }

    private static bool StartLeader(IThreadPoolWorkItem pump) => ProcessWorkers.Leaders.TryRun(pump, waits: false);

    /// <summary>Pumps on the .NET pool: no thread of the engine is left.</summary>
    private void QueueOnPool() => EnginePool.Queue(this);

    private bool TryTake(out (InMemoryLink Link, InMemoryEventKind Kind) next)
    {
        using var held = Enter();
        bool isTaken = _events.TryDequeue(out next);
        _waiting = _events.Count;
        return isTaken;
    }

    /// <returns>False if another thread has taken over.</returns>
    private bool Run((InMemoryLink Link, InMemoryEventKind Kind) next)
    {
        int term = _term;
        try
        {
            return next.Link.Run(next.Kind);
        }
        catch (Exception error) when (!manual) // otherwise the test gets what its own handler throws
        {
            if (Volatile.Read(ref _term) != term) return false;
            next.Link.Fail(error);
            return true;
        }
    }

    /// <returns>True if an event has come.</returns>
    private bool Poll()
    {
        var spin = default(SpinWait);
        try
        {
            for (int look = 0; look < Looks && _waiting == 0; look++) spin.SpinOnce(sleep1Threshold: -1);
        }
        catch (ThreadInterruptedException)
        {
            // User code has left it on the thread, and it is used up.
        }

        return _waiting > 0;
    }

    /// <returns>False if an event has come.</returns>
    private bool TryRest()
    {
        using var held = Enter();
        _active = _events.Count > 0;
        return !_active;
    }

    /// <summary>The gate of the pump, entered. User code may have run on the thread: see <see cref="EngineThread.Enter(Lock)"/>.</summary>
    public readonly ref struct Entry(InMemoryPump pump)
    {
#pragma warning disable CA2213 // Dispose below leaves it.
        private readonly EngineThread.Entry _held = EngineThread.Enter(pump._gate);
#pragma warning restore CA2213

        public void Dispose()
        {
            bool starts = pump._owesThread;
            pump._owesThread = false;
            _held.Dispose();
            if (starts && !pump._start(pump)) pump.QueueOnPool();
        }
    }
}

/// <summary>Events that the pump runs for a link.</summary>
internal enum InMemoryEventKind
{
    /// <summary>Hand the link to the listener's callback.</summary>
    Accept,

    /// <summary>Connect the link if it is a dialed one, and call <see cref="ILinkHandler.OnConnected"/>.</summary>
    Open,

    /// <summary>Deliver the bytes of its inbound pipe.</summary>
    Deliver,

    /// <summary>Call <see cref="ILinkHandler.OnWritable"/>.</summary>
    Writable,

    /// <summary>Call <see cref="ILinkHandler.OnClosed"/>.</summary>
    Closed,
}
