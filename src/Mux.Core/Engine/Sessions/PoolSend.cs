using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Leaves a connection's sends to the end of the .NET thread pool's queue, while code that waits in that queue may have more to send: the code after an await
/// in handlers, and callers that continue on the pool. A send costs 3 us and more, many times the rest of a small reply.
/// </summary>
/// <remarks>
/// There is no timer. If nothing waits in the pool's queue, the thread sends at once. What is left is sent by the thread that appends <see cref="MostFrames"/>
/// or comes 100 us later, by the pool when it has run what waited, or, if the pool is blocked, by another thread
/// (<see cref="PostponedSends"/>). Guarded by the connection's lock, except where stated.
/// </remarks>
internal sealed class PoolSend(Session session) : IPostponedSend
{
    /// <summary>Frames that share a send: the send is then a tenth of what a small reply of an awaiting handler costs.</summary>
    private const int MostFrames = 32;

    /// <summary>Microseconds, as in a turn.</summary>
    private const long LongestWait = 100;

    private bool _isQueued; // in the pool
    private int _frames;
    private long _since;
    private volatile bool _isOwed;
    private volatile bool _isWatched;

    /// <inheritdoc/>
    public bool IsOwed => _isOwed;

    /// <inheritdoc/>
    public bool IsWatched
    {
        get => _isWatched;
        set => _isWatched = value;
    }

    /// <summary>Leaves the send of what was just appended to the pool, if its queue may bring more.</summary>
    /// <returns>False if the caller sends.</returns>
    public bool TryPostponeLocked()
    {
        session.AssertLocked();
        if (session.Options.Pool is not { IsOwnThread: true } pool) return false;
        if (_isOwed)
        {
            if (++_frames < MostFrames && session.Clock.Now - _since < LongestWait) return true;
            _isOwed = false;
            return false;
        }

        if (!_isQueued)
        {
            if (pool.IsEmpty) return false;
            _isQueued = true;
            pool.Add(this);
        }

        (_frames, _since, _isOwed) = (1, session.Clock.Now, true);
        if (_isWatched) return true;
        _isWatched = true;
        pool.Postponed.Watch(this);
        return true;
    }

    /// <summary>Sends. Without the lock.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        var aftermath = default(Aftermath);
        lock (session.Gate)
        {
            if (session.Options.Pool is { IsOwnThread: true }) _isQueued = false; // otherwise it still waits in the pool
            if (!_isOwed) return;
            _isOwed = false;
            session.FinishLocked(ref aftermath);
        }

        session.Complete(ref aftermath);
    }
}
