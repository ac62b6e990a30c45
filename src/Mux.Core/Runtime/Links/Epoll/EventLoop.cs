using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// An epoll handle and its sources, led by one thread at a time. The leader waits, delivers to all ready sources, then ends their batches: everything that one
/// source caused on another leaves in one send.
/// </summary>
/// <remarks>
/// <para>The lead can move: a thread whose user code does not return from a delivery loses it to another thread by <see cref="HandOver"/>. Therefore all state
/// that a successor needs is in this object, not on the leader's stack. The kernel reports unread events again, because they are level-triggered. When the
/// former leader returns from its delivery, it no longer touches the loop.</para>
/// <para><see cref="Post"/>, <see cref="Watch"/> and <see cref="Stop"/> are thread-safe; only the leader calls the rest.</para>
/// </remarks>
#pragma warning disable CA1001 // A loop ends itself: the leader disposes the handles once the loop is stopped.
internal sealed class EventLoop
#pragma warning restore CA1001
{
    private const ulong WakeUp = ulong.MaxValue;

    // Bytes delivered in one iteration wait at most this long for the rest before their batches end: as long as 100-200 small calls take.
    private static readonly long s_longestBatch = Stopwatch.Frequency / 10_000;

    private readonly Lock _gate = new(); // guards the commands, their flags, and the disposal of the handles
    private readonly SafeFileHandle _epoll;
    private readonly SafeFileHandle _wake;
    private readonly int _epollHandle;
    private readonly int _wakeHandle;
    private readonly Action<Action> _startThread;
    private readonly EpollEvents _events = new();
    private readonly Registrations _registrations = new();
    private readonly List<BatchReceiver> _delivered = []; // batches still to be ended
    private readonly JoinedBatch _joined = new();
    private List<(ILoopSource Source, LoopCommand Command)> _posted = [];
    private List<(ILoopSource Source, LoopCommand Command)> _running = [];
    private bool _isAwake; // commands are posted, and the loop has been woken
    private bool _isStarted;
    private bool _isStopping;
    private bool _isOver;
    private long _batchStart; // when the oldest delivery of _delivered began, or earlier
    private int _term; // incremented for every new leader

    /// <param name="polling">Decides whether to poll before a sleep; used by this loop alone.</param>
    /// <param name="startThread">Runs the first leader on its own thread.</param>
    /// <exception cref="IOException">The process or the system is out of handles.</exception>
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

    /// <summary>True once the handles are closed. Thread-safe.</summary>
    public bool HasEnded => _epoll.IsClosed && _wake.IsClosed;

    /// <summary>Makes the leader call <see cref="ILoopSource.OnCommand"/>. Commands posted by one thread keep their order.</summary>
    public void Post(ILoopSource source, LoopCommand command)
    {
        lock (_gate)
        {
            if (_isOver) return;
            _posted.Add((source, command));
            WakeLocked();
        }
    }

    /// <summary>Ends the loop after all posted commands have run. By then, no source may still be watched.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            if (_isOver) return;
            _isStopping = true;
            WakeLocked();
        }
    }

    /// <summary>Starts watching the handle of a source.</summary>
    /// <exception cref="IOException">The kernel cannot watch more handles.</exception>
    public void Add(ILoopSource source, int handle, uint flags)
    {
        source.Registration = _registrations.Add(source);
        int error = EpollEvents.Control(_epollHandle, EpollOperation.Add, handle, flags, source.Registration);
        if (error == 0) return;
        _registrations.Remove(source.Registration);
        Check(error);
    }

    /// <summary>
    /// Changes the events that a source is watched for. Thread-safe. Does nothing if the source is no longer watched; its handle must still be open.
    /// </summary>
    public void Watch(ILoopSource source, int handle, uint flags) =>
        _ = EpollEvents.Control(_epollHandle, EpollOperation.Modify, handle, flags, source.Registration);

    /// <summary>Stops watching a source and drops its unread events.</summary>
    public void Remove(ILoopSource source, int handle)
    {
        _ = EpollEvents.Control(_epollHandle, EpollOperation.Delete, handle, EpollFlags.None, 0);
        Forget(source);
    }

    /// <summary>Stops watching a source whose handle is already closed.</summary>
    public void Forget(ILoopSource source) => _registrations.Remove(source.Registration);

    /// <summary>Notes that a receiver is about to deliver, so its batch must be ended.</summary>
    public void OweBatchEnd(BatchReceiver receiver)
    {
        Counters.AddDelivery();
        _delivered.Add(receiver);
    }

    /// <summary>See <see cref="Link.TryJoinBatch"/>.</summary>
    public bool TryJoinBatch(BatchReceiver receiver) => _joined.TryAdd(receiver);

    /// <summary>See <see cref="Link.EndJoinedBatches"/>.</summary>
    public void EndJoinedBatches(BatchReceiver delivering) => _joined.EndAll(Stopwatch.GetTimestamp(), delivering);

    /// <summary>
    /// Takes over the lead from a thread that does not return from a delivery of <paramref name="receiver"/>. Leads until the lead is lost again or the loop
    /// ends.
    /// </summary>
    public void HandOver(ILoopSource source, BatchReceiver receiver, int consumed)
    {
        Volatile.Write(ref _term, _term + 1);
        int term = _term;
        _joined.Close(); // first: the joined links have waited for as long as the thread was stuck
        receiver.Took(long.MaxValue); // whatever kept the thread, the next receive is smaller
        try
        {
            if (!receiver.Continue(consumed)) return;
        }
        catch (Exception error)
        {
            if (Volatile.Read(ref _term) != term) return;
            source.OnFault(error);
        }

        Lead();
    }

    /// <summary>The leader's work until it loses the lead or the loop ends.</summary>
    private void Lead()
    {
        while (true)
        {
            try
            {
                LeadUninterrupted();
                return;
            }
            catch (ThreadInterruptedException)
            {
                // Handlers run on this thread, and one of them had it interrupted when it waited for nothing: a lock of the loop has thrown. Deliveries catch
                // what their locks throw, so the thread still leads. What it owes is done again, and the kernel reports unread events again.
            }
        }
    }

    private void LeadUninterrupted()
    {
        EndBatches();
        _joined.Close(); // a long rest has opened it again, and the loop may sleep now
        while (RunCommands())
        {
            int count = Wait();
            _batchStart = Stopwatch.GetTimestamp();
            _joined.Open(_batchStart);
            long begun = _batchStart;
            Turn.OnInput(count);
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
        if (count == 0) count = Sleep();
        if (count > 0) Counters.AddWake();
        return count;
    }

    private int Sleep()
    {
        Turn.OnThreadWaits();
        return _events.Wait(_epollHandle, sleeps: true);
    }

    private int Poll()
    {
        int count = _events.Wait(_epollHandle, sleeps: false);
        if (count > 0) return count;
        Turn.OnNoInput();
        if (!Polling.TryBegin(Stopwatch.GetTimestamp())) return 0;
        do count = _events.Wait(_epollHandle, sleeps: false);
        while (count == 0 && Polling.Continue(Stopwatch.GetTimestamp()));
        Polling.End(Stopwatch.GetTimestamp(), count > 0);
        return count;
    }

    /// <returns>False if the lead was lost.</returns>
    private bool Dispatch(ulong number, uint flags)
    {
        if (number == WakeUp)
        {
            Libc.Unsignal(_wakeHandle); // commands are run before every wait
            return true;
        }

        if (_registrations.Find(number) is not { } source) return true; // removed after the event happened
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

    /// <summary>Rates a delivery whose end other sources waited for, and ends the batches if they have waited long enough.</summary>
    /// <returns>The time at which the next delivery begins.</returns>
    private long Judge(BatchReceiver receiver, long begun)
    {
        long now = Stopwatch.GetTimestamp();
        receiver.Took(now - begun);
        if (now - _batchStart < s_longestBatch) return now;
        EndBatches();
        _joined.EndAll(now, delivering: null);
        return _batchStart = Stopwatch.GetTimestamp(); // the sends in between count for no receiver
    }

    private void EndBatches()
    {
        foreach (var receiver in _delivered) receiver.EndBatch();
        _delivered.Clear();
    }

    /// <returns>False once the loop has ended.</returns>
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
        Debug.Assert(_registrations.Count == 0, "All sources must have ended before the loop is stopped.");
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
        if (error != 0) throw new IOException($"The operating system refused a resource of an event loop ({Errno.ToSocketError(error)}, error {error}).");
    }
}

/// <summary>Counters of a loop. Only the leader writes them; any thread may read them.</summary>
internal sealed class LoopCounters
{
    private long _wakes;
    private long _deliveries;

    /// <summary>Waits that found events.</summary>
    public long Wakes => Volatile.Read(ref _wakes);

    /// <summary>Blocks of received bytes passed to handlers.</summary>
    public long Deliveries => Volatile.Read(ref _deliveries);

    public void AddWake() => Volatile.Write(ref _wakes, _wakes + 1);

    public void AddDelivery() => Volatile.Write(ref _deliveries, _deliveries + 1);
}

/// <summary>
/// Buffer for the events of one wait, owned by the leader of the loop. A successor may overwrite unread events: they are level-triggered, so the kernel reports
/// them again.
/// </summary>
internal sealed unsafe class EpollEvents
{
    /// <summary>Maximum number of events per wait.</summary>
    public const int Capacity = 256;

    // struct epoll_event { uint32_t events; uint64_t data; }, without padding on x86 and with it elsewhere.
    private static readonly bool s_isPacked = RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86;
    private static readonly int s_dataOffset = s_isPacked ? 4 : 8;
    private static readonly int s_size = s_dataOffset + sizeof(ulong);

    // Pinned: the kernel writes to it while a wait sleeps.
    private readonly byte[] _bytes = GC.AllocateUninitializedArray<byte>(Capacity * s_size, pinned: true);

    /// <summary>Waits for events. Returns at once if <paramref name="sleeps"/> is false.</summary>
    /// <returns>Number of events; 0 also when a signal interrupted the wait.</returns>
    /// <exception cref="InvalidOperationException">epoll_wait failed, for example because the handle is not an epoll handle.</exception>
    public int Wait(int epoll, bool sleeps)
    {
        var start = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_bytes));
        int count = sleeps ? Libc.WaitForEvents(epoll, start, Capacity) : Libc.PollEvents(epoll, start, Capacity);
        if (count >= 0) return count;
        int error = Libc.LastError;
        return error == Errno.Interrupted ? 0 : throw new InvalidOperationException($"epoll_wait failed with error {error}.");
    }

    /// <summary>Events of the entry: bits of <see cref="EpollFlags"/>.</summary>
    public uint FlagsOf(int index) => Unsafe.ReadUnaligned<uint>(ref _bytes[index * s_size]);

    /// <summary>The data passed to <see cref="Control"/> for the handle of the entry.</summary>
    public ulong DataOf(int index) => Unsafe.ReadUnaligned<ulong>(ref _bytes[(index * s_size) + s_dataOffset]);

    /// <summary>Adds, changes or removes the interest in a handle. Thread-safe.</summary>
    /// <returns>0, or the error number.</returns>
    public static int Control(int epoll, EpollOperation operation, int handle, uint flags, ulong data)
    {
        byte* interest = stackalloc byte[s_size];
        Unsafe.WriteUnaligned(interest, flags);
        Unsafe.WriteUnaligned(interest + s_dataOffset, data);
        return Libc.Control(epoll, (int)operation, handle, interest) == 0 ? 0 : Libc.LastError;
    }
}

/// <summary>
/// Collects the links on which other threads have bytes to send while the loop is busy; the loop ends a batch for each when it is done. A send costs 3 us, many
/// times the rest of a small reply, so replies that workers finish within one batch leave together.
/// </summary>
/// <remarks>
/// A loop that waits or polls accepts no link. Nor does a loop that has worked longer than a batch of cheap work since it last ended batches: it may be stuck
/// in user code, or have no core. The thread with bytes to send then sends them itself, including those that joined on that link before. <see cref="TryAdd"/>
/// is thread-safe; only the leader calls the rest.
/// </remarks>
internal sealed class JoinedBatch
{
    // Sending on this many links keeps the loop from receiving for 50 us; beyond it, other threads send in parallel.
    private const int MostLinks = 16;

    // Twice the time of a batch of cheap work; see EventLoop.
    private static readonly long s_longestWait = Stopwatch.Frequency / 5_000;

    private readonly Lock _gate = new();
    private List<BatchReceiver> _joined = [];
    private List<BatchReceiver> _ending = []; // owned by the leader
    private long _openSince; // 0 while closed

    /// <summary>Called when the loop starts to work.</summary>
    public void Open(long now) => Volatile.Write(ref _openSince, now);

    /// <summary>Adds a link.</summary>
    /// <returns>True if it was accepted.</returns>
    public bool TryAdd(BatchReceiver receiver)
    {
        long since = Volatile.Read(ref _openSince);
        if (since == 0 || Stopwatch.GetTimestamp() - since > s_longestWait) return false;
        lock (_gate)
        {
            if (_openSince == 0) return false;
            if (receiver.HasJoined) return true;
            if (_joined.Count == MostLinks) return false;
            receiver.HasJoined = true;
            _joined.Add(receiver);
            return true;
        }
    }

    /// <summary>
    /// Called before the loop waits: ends the joined batches, then once more those that joined meanwhile. Later threads send by themselves, so that the loop
    /// can continue.
    /// </summary>
    public void Close()
    {
        if (!TryTake(isLast: false)) return;
        End();
        TryTake(isLast: true);
        End();
    }

    /// <summary>Ends the joined batches and starts over.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="delivering">The receiver that is delivering, which ends its own batch; null between deliveries.</param>
    public void EndAll(long now, BatchReceiver? delivering)
    {
        lock (_gate) TakeLocked();
        _ = delivering is not null && _ending.Remove(delivering);
        End();
        Open(now);
    }

    /// <returns>False if there was nothing to take; the batch is closed then.</returns>
    private bool TryTake(bool isLast)
    {
        lock (_gate)
        {
            if (isLast || _joined.Count == 0) _openSince = 0;
            TakeLocked();
            return _ending.Count > 0;
        }
    }

    private void TakeLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        (_joined, _ending) = (_ending, _joined);
        foreach (var receiver in _ending) receiver.HasJoined = false;
    }

    private void End()
    {
        foreach (var receiver in _ending) receiver.EndBatch();
        _ending.Clear();
    }
}

/// <summary>Operations of epoll_ctl. The values are the kernel's.</summary>
internal enum EpollOperation
{
    Add = 1,
    Delete = 2,
    Modify = 3,
}

/// <summary>Commands that a loop runs for one of its sources.</summary>
internal enum LoopCommand
{
    /// <summary>Start watching it.</summary>
    Open,

    /// <summary>Stop watching it for good.</summary>
    Close,

    /// <summary>Resume watching it after a pause.</summary>
    Resume,
}

/// <summary>An owner of a handle that an <see cref="EventLoop"/> watches. The leader of the loop calls its members.</summary>
internal interface ILoopSource
{
    /// <summary>The loop's number for the source while it is watched; see <see cref="Registrations"/>. Set by the loop.</summary>
    ulong Registration { get; set; }

    /// <summary>Handles events of the handle.</summary>
    /// <param name="flags">Bits of <see cref="EpollFlags"/>.</param>
    /// <returns>False if another thread leads the loop by now.</returns>
    bool OnEvents(uint flags);

    /// <summary>Runs a posted command.</summary>
    void OnCommand(LoopCommand command);

    /// <summary>Ends the source after one of its members threw, which is a bug in Mux; the loop continues. Does not throw.</summary>
    void OnFault(Exception error);
}

/// <summary>The receiving side of a source as its <see cref="EventLoop"/> knows it: the loop ends its batches and adapts its share of time.</summary>
internal abstract class BatchReceiver
{
    /// <summary>True if another thread waits for the end of this batch. Owned by <see cref="JoinedBatch"/>, under its lock.</summary>
    public bool HasJoined { get; set; }

    /// <summary>Continues in place of a thread that is still in <see cref="ILinkHandler.OnReceived"/>.</summary>
    /// <returns>False if another thread leads the loop by now.</returns>
    public abstract bool Continue(int consumed);

    /// <summary>Adapts the size of the next receive to the time of the last delivery, if other sources waited for its end.</summary>
    public abstract void Took(long ticks);

    /// <summary>Ends the batch after everything available was delivered.</summary>
    public abstract void EndBatch();
}
