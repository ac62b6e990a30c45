using System.Diagnostics;

namespace Mux.Transports.Epoll;

/// <summary>Loops that take turns in getting new sources. They end when nobody uses them any more. All members may be called by any thread.</summary>
internal sealed class EventLoopGroup
{
    // Failing for want of handles must not be remembered. What a racing thread makes in vain has no threads yet, and its handles are collected.
    private static readonly Lazy<EventLoopGroup> s_ofProcess = new(() => new EventLoopGroup(new EpollTransportOptions()), LazyThreadSafetyMode.PublicationOnly);

    private readonly EventLoop[] _loops;
    private uint _next;
    private PartyCount _users;

    /// <summary>Loops with one user: whoever makes them.</summary>
    /// <exception cref="IOException">There are no handles left.</exception>
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

    /// <summary>Those of all channels and servers that were given no transport. They last as long as the process.</summary>
    /// <exception cref="IOException">There are no handles left.</exception>
    public static EventLoopGroup OfProcess => s_ofProcess.Value;

    public IReadOnlyList<EventLoop> Loops => _loops;

    /// <summary>The loop for one more source.</summary>
    public EventLoop Next() => _loops[Interlocked.Increment(ref _next) % (uint)_loops.Length];

    /// <summary>Keeps the loops until <see cref="Leave"/>. False when they have ended.</summary>
    public bool TryEnter() => _users.TryEnter();

    public void Leave()
    {
        if (!_users.Leave()) return;
        foreach (var loop in _loops) loop.Stop();
    }

    /// <summary>The thread of a loop's first leader. Nothing of the starting thread's ExecutionContext follows it.</summary>
    private static void StartThread(Action lead) => new Thread(() => lead()) { IsBackground = true, Name = "Mux loop" }.UnsafeStart();
}
