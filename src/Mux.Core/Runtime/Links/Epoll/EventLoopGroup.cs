using System.Diagnostics;
using Mux.Transports.Epoll;

namespace Mux.Runtime;

/// <summary>Event loops that get new sources in turn. They end when their last user leaves. Thread-safe.</summary>
internal sealed class EventLoopGroup
{
    // PublicationOnly: a failure for lack of handles must not be cached. A loop made in vain by a racing thread has no thread yet, and its handles are
    // collected.
    private static readonly Lazy<EventLoopGroup> s_ofProcess = new(() => new EventLoopGroup(new EpollTransportOptions()), LazyThreadSafetyMode.PublicationOnly);

    private readonly EventLoop[] _loops;
    private uint _next;
    private PartyCount _users;

    /// <summary>Creates loops with one user: the caller.</summary>
    /// <exception cref="IOException">The process or the system is out of handles.</exception>
    public EventLoopGroup(EpollTransportOptions options)
    {
        _users.Open();
        long pollTime = (long)(options.PollTime.TotalSeconds * Stopwatch.Frequency);
        _loops = new EventLoop[options.LoopCount];
        for (int i = 0; i < _loops.Length; i++)
        {
            try
            {
                _loops[i] = new EventLoop(new PollPolicy(pollTime, Stopwatch.Frequency, Environment.ProcessorCount, PollPlace.OfProcess), StartThread);
            }
            catch
            {
                foreach (var made in _loops.AsSpan(0, i)) made.Stop();
                throw;
            }
        }
    }

    /// <summary>
    /// The loops of all channels and servers without a transport of their own, and of all transports whose loops were not chosen. They live as long as the
    /// process.
    /// </summary>
    /// <exception cref="IOException">The process or the system is out of handles.</exception>
    public static EventLoopGroup OfProcess => s_ofProcess.Value;

    public IReadOnlyList<EventLoop> Loops => _loops;

    /// <summary>Picks the loop for a new source.</summary>
    public EventLoop Next() => _loops[Interlocked.Increment(ref _next) % (uint)_loops.Length];

    /// <summary>Keeps the loops alive until <see cref="Leave"/>. False if they have ended.</summary>
    public bool TryEnter() => _users.TryEnter();

    public void Leave()
    {
        if (!_users.Leave()) return;
        foreach (var loop in _loops) loop.Stop();
    }

    /// <summary>Starts the thread of a loop's first leader. The ExecutionContext of the starting thread does not follow it.</summary>
    private static void StartThread(Action lead) =>
        new Thread(() => EngineThread.Run(lead)) { IsBackground = true, Name = "Mux loop" }.UnsafeStart();
}

/// <summary>
/// Sources of a loop, by the number that the kernel reports with each event: place and generation, never the handle, which the system reuses as soon as it is
/// closed. The number of a removed source finds nothing. Owned by the leader.
/// </summary>
internal sealed class Registrations
{
    private readonly Stack<int> _free = [];
    private Entry[] _entries = new Entry[16];
    private int _used;

    /// <summary>Number of registered sources.</summary>
    public int Count { get; private set; }

    /// <summary>Registers a source.</summary>
    /// <returns>Its number: generation in the upper half, place in the lower. Never <see cref="ulong.MaxValue"/>.</returns>
    public ulong Add(ILoopSource source)
    {
        if (!_free.TryPop(out int place))
        {
            if (_used == _entries.Length) Array.Resize(ref _entries, _used * 2);
            place = _used++;
        }

        _entries[place].Source = source;
        Count++;
        return ((ulong)_entries[place].Generation << 32) | (uint)place;
    }

    /// <summary>Returns the source, or null if the number is no longer in use.</summary>
    public ILoopSource? Find(ulong number)
    {
        uint place = (uint)number;
        return place < (uint)_used && _entries[place].Generation == (uint)(number >> 32) ? _entries[place].Source : null;
    }

    /// <summary>Removes the source of a number in use; the next source in its place gets another number.</summary>
    public void Remove(ulong number)
    {
        if (Find(number) is null) return;
        ref var entry = ref _entries[(uint)number];
        entry.Source = null;
        entry.Generation++; // wraps after 4 billion sources in one place: no event of the first one can still be under way
        _free.Push((int)(uint)number);
        Count--;
    }

    private struct Entry
    {
        public ILoopSource? Source;
        public uint Generation;
    }
}
