using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace Mux.Transports.Epoll;

/// <summary>
/// One epoll handle and what it watches, led by one thread at a time: it waits, delivers to all sources that are ready, then ends their batches, so that what
/// one of them caused on another leaves with it in one send.
/// </summary>
/// <remarks>
/// <para>The lead moves: a thread whose user code does not return from a delivery loses it to another one by <see cref="HandOver"/>. So all that a successor
/// needs is in here and nothing on the leader's stack; of the events that the former leader had still to look at, the kernel tells again, because they are
/// level-triggered. The former leader returns from its delivery some day and touches nothing of the loop any more.</para>
/// <para><see cref="Post"/>, <see cref="Watch"/> and <see cref="Stop"/> may be called by any thread; the rest is the leader's.</para>
/// </remarks>
#pragma warning disable CA1001 // A loop ends itself: the leader disposes the handles when it has been stopped.
internal sealed class EventLoop
#pragma warning restore CA1001
{
    private const ulong WakeUp = ulong.MaxValue;

    // What was delivered in one iteration waits this long for the rest before its batches end: as long as 100-200 small calls take.
    private static readonly long s_longestBatch = Stopwatch.Frequency / 10_000;

    private readonly Lock _gate = new(); // guards the commands, the flags behind them, and the handles' end
    private readonly SafeFileHandle _epoll;
    private readonly SafeFileHandle _wake;
    private readonly int _epollHandle;
    private readonly int _wakeHandle;
    private readonly Action<Action> _startThread;
    private readonly EpollEvents _events = new();
    private readonly Registrations _registrations = new();
    private readonly List<EpollReceiver> _delivered = []; // owed the end of their batch
    private readonly JoinedBatch _joined = new();
    private List<(ILoopSource Source, LoopCommand Command)> _posted = [];
    private List<(ILoopSource Source, LoopCommand Command)> _running = [];
    private bool _isAwake; // commands wait, and the loop has been told
    private bool _isStarted;
    private bool _isStopping;
    private bool _isOver;
    private long _batchStart; // when the oldest delivery of _delivered began, or before
    private int _term; // counts the leaders

    /// <param name="polling">Decides whether to poll before a sleep; the loop's alone.</param>
    /// <param name="startThread">Runs the first leader on a thread of its own.</param>
    /// <exception cref="IOException">There are no handles left.</exception>
    public EventLoop(PollPolicy polling, Action<Action> startThread)
    {
        Polling = polling;
        _startThread = startThread;
        _epollHandle = Checked(Libc.CreateEpoll());
        _epoll = new SafeFileHandle(_epollHandle, ownsHandle: true);
        try
        {
            _wakeHandle = Checked(Libc.CreateEvent());
            _wake = new SafeFileHandle(_wakeHandle, ownsHandle: true);
            Check(EpollEvents.Control(_epollHandle, EpollOperation.Add, _wakeHandle, EpollFlags.Readable, WakeUp));
        }
        catch
        {
            _wake?.Dispose();
            _epoll.Dispose();
            throw;
        }
    }

    public LoopCounters Counters { get; } = new();

    public PollPolicy Polling { get; }

    /// <summary>Its handles are closed, on any thread.</summary>
    public bool HasEnded => _epoll.IsClosed && _wake.IsClosed;

    /// <summary>Has the leader call <see cref="ILoopSource.OnCommand"/>. Commands of one thread keep their order.</summary>
    public void Post(ILoopSource source, LoopCommand command)
    {
        lock (_gate)
        {
            if (_isOver) return;
            _posted.Add((source, command));
            WakeLocked();
        }
    }

    /// <summary>Ends the loop once what was posted is done. Nothing may be watched any more by then.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            if (_isOver) return;
            _isStopping = true;
            WakeLocked();
        }
    }

    /// <summary>Begins to watch the handle of a source.</summary>
    /// <exception cref="IOException">The system cannot watch more.</exception>
    public void Add(ILoopSource source, int handle, uint flags)
    {
        source.Registration = _registrations.Add(source);
        int error = EpollEvents.Control(_epollHandle, EpollOperation.Add, handle, flags, source.Registration);
        if (error == 0) return;
        _registrations.Remove(source.Registration);
        Check(error);
    }

    /// <summary>
    /// Changes what a source is watched for, on any thread. Nothing happens where it is not watched any more; its handle must still be its own.
    /// </summary>
    public void Watch(ILoopSource source, int handle, uint flags) =>
        _ = EpollEvents.Control(_epollHandle, EpollOperation.Modify, handle, flags, source.Registration);

    /// <summary>Stops watching a source; what happened to it and is not looked at yet is dropped.</summary>
    public void Remove(ILoopSource source, int handle)
    {
        _ = EpollEvents.Control(_epollHandle, EpollOperation.Delete, handle, EpollFlags.None, 0);
        Forget(source);
    }

    /// <summary>The same for one whose handle is closed already.</summary>
    public void Forget(ILoopSource source) => _registrations.Remove(source.Registration);

    /// <summary>A receiver is about to deliver, and is owed the end of a batch from now on.</summary>
    public void OweBatchEnd(EpollReceiver receiver)
    {
        Counters.AddDelivery();
        _delivered.Add(receiver);
    }

    /// <summary>See <see cref="Link.TryJoinBatch"/>.</summary>
    public bool TryJoinBatch(EpollReceiver receiver) => _joined.TryAdd(receiver);

    /// <summary>See <see cref="Link.EndJoinedBatches"/>.</summary>
    public void EndJoinedBatches(EpollReceiver delivering) => _joined.EndAll(Stopwatch.GetTimestamp(), delivering);

    /// <summary>
    /// Takes the lead from a thread that does not come back from a delivery of the receiver, and leads until it is lost again or the loop ends.
    /// </summary>
    public void HandOver(ILoopSource source, EpollReceiver receiver, int consumed)
    {
        Volatile.Write(ref _term, _term + 1);
        int term = _term;
        _joined.Close(); // first: they have waited for as long as the thread was stuck
        receiver.Took(long.MaxValue); // whatever it was that kept the thread
        try
        {
            if (!receiver.Continue(consumed)) return;
        }
        catch (Exception error)
        {
            if (Volatile.Read(ref _term) != term) return;
            source.OnFault(error);
        }

        EndBatches();
        Lead();
    }

    /// <summary>What the leader does.</summary>
    private void Lead()
    {
        while (RunCommands())
        {
            int count = Wait();
            _batchStart = Stopwatch.GetTimestamp();
            _joined.Open(_batchStart);
            long begun = _batchStart;
            for (int i = 0; i < count; i++)
            {
                int owed = _delivered.Count;
                if (!Dispatch(_events.DataOf(i), _events.FlagsOf(i))) return;
                if (count > 1) begun = _delivered.Count > owed ? Judge(_delivered[^1], begun) : Stopwatch.GetTimestamp();
            }

            EndBatches();
            _joined.Close();
        }
    }

    private int Wait()
    {
        int count = Polling.IsOn ? Poll() : 0;
        if (count == 0) count = _events.Wait(_epollHandle, sleeps: true);
        if (count > 0) Counters.AddWake();
        return count;
    }

    private int Poll()
    {
        int count = _events.Wait(_epollHandle, sleeps: false);
        if (count > 0 || !Polling.TryBegin(Stopwatch.GetTimestamp())) return count;
        do count = _events.Wait(_epollHandle, sleeps: false);
        while (count == 0 && Polling.Continue(Stopwatch.GetTimestamp()));
        Polling.End(Stopwatch.GetTimestamp(), count > 0);
        return count;
    }

    /// <returns>False when the lead was lost.</returns>
    private bool Dispatch(ulong number, uint flags)
    {
        if (number == WakeUp)
        {
            Libc.Unsignal(_wakeHandle); // the commands are looked for before each wait
            return true;
        }

        if (_registrations.Find(number) is not { } source) return true; // it was removed after the event had happened
        int term = _term;
        try
        {
            return source.OnEvents(flags);
        }
        catch (Exception error)
        {
            if (Volatile.Read(ref _term) != term) return false;
            source.OnFault(error);
            return true;
        }
    }

    /// <summary>After a delivery for whose end other sources waited.</summary>
    /// <returns>When the next delivery begins.</returns>
    private long Judge(EpollReceiver receiver, long begun)
    {
        long now = Stopwatch.GetTimestamp();
        receiver.Took(now - begun);
        if (now - _batchStart < s_longestBatch) return now;
        EndBatches();
        _joined.EndAll(now, delivering: null);
        return _batchStart = Stopwatch.GetTimestamp(); // what was sent meanwhile is nobody's
    }

    private void EndBatches()
    {
        foreach (var receiver in _delivered) receiver.EndBatch();
        _delivered.Clear();
    }

    /// <returns>False when the loop is over.</returns>
    private bool RunCommands()
    {
        if (!Volatile.Read(ref _isAwake)) return true;
        bool isStopping;
        lock (_gate)
        {
            (_posted, _running) = (_running, _posted);
            _isAwake = false;
            isStopping = _isStopping;
        }

        foreach (var (source, command) in _running)
        {
            try
            {
                source.OnCommand(command);
            }
            catch (Exception error)
            {
                source.OnFault(error);
            }
        }

        _running.Clear();
        if (isStopping) End();
        return !isStopping;
    }

    private void End()
    {
        Debug.Assert(_registrations.Count == 0, "Whoever stops the loop has ended its sources.");
        lock (_gate)
        {
            _isOver = true;
            _wake.Dispose();
            _epoll.Dispose();
        }
    }

    private void WakeLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "The handle may be closed otherwise.");
        if (!_isStarted)
        {
            _startThread(Lead);
            _isStarted = true;
        }

        if (_isAwake) return;
        Volatile.Write(ref _isAwake, true);
        Libc.Signal(_wakeHandle);
    }

    private static int Checked(int handle)
    {
        if (handle < 0) Check(Libc.LastError);
        return handle;
    }

    private static void Check(int error)
    {
        if (error != 0) throw new IOException($"The system gives an event loop no more ({Errno.ToSocketError(error)}, error {error}).");
    }
}
