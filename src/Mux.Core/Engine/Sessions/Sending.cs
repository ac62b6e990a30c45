using System.Runtime.CompilerServices;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Engine;

/// <summary>
/// Sends a connection's bytes from its queue to its link. One thread sends at a time, outside the lock: the thread that gets blocks from
/// <see cref="OutboundQueue.TryBeginLocked"/> is the sender and calls <see cref="Run"/>.
/// </summary>
internal sealed class Sending(Session session, Link link) : IThreadPoolWorkItem
{
    /// <summary>
    /// A caller that finds no sender sends what it found, and once more what others appended meanwhile. Then a worker continues, so that no caller sends for
    /// others forever.
    /// </summary>
    private const int CallerRounds = 2;

    /// <summary>A caller sends at most this many bytes of large messages, which takes some 100 us: their rounds are many and short.</summary>
    private const long CallerBytes = 256 * 1024;

    /// <summary>A round of at least this many bytes counts as one of large messages.</summary>
    private const long LargeRound = 16 * 1024;

    private readonly PoolSend _poolSend = new(session);
    private Turn? _markedBy; // see DefersLocked; guarded by the lock
    private OutboundBlock? _handedOver; // owned by the sender; written before the work item is queued, and read by it

    /// <summary>Counts what was sent. Written by the sender.</summary>
    public SendCounters Counters { get; } = new();

    /// <summary>
    /// Decides which thread sends what was just appended. True if that is not the caller but a turn of this thread or the one that continues in its place
    /// (<see cref="Turn"/>), the end of the batch that this thread has begun (<see cref="SendBatch"/>), the link's receiving thread after its current work
    /// (<see cref="Link.TryJoinBatch"/>), or a thread of the .NET pool (<see cref="PoolSend"/>).
    /// </summary>
    public bool DefersLocked()
    {
        session.AssertLocked();
        if (Turn.Defers(session, ref _markedBy) || SendBatch.Defers(session)) return true;
        return session.Outbound.HasLittleToSendLocked && (link.TryJoinBatch() || _poolSend.TryPostponeLocked());
    }

    /// <summary>
    /// Takes what the caller must send of what was just appended, by <see cref="Run"/> and without the lock; null if another thread sends it.
    /// </summary>
    public OutboundBlock? TakeLocked()
    {
        session.AssertLocked();
        return DefersLocked() ? null : session.Outbound.TryBeginLocked();
    }

    /// <summary>A turn or a batch now sends what it was left.</summary>
    public void OnFlushLocked()
    {
        session.AssertLocked();
        _markedBy = null;
    }

    /// <summary>In a long turn, after its flush: sends what other connections wait for.</summary>
    public void EndJoinedBatches() => link.EndJoinedBatches();

    /// <summary>Sends blocks of <see cref="OutboundQueue.TryBeginLocked"/>, and some of what is appended meanwhile. The lock is not held.</summary>
    public void Run(OutboundBlock batch)
    {
        long before = Counters.Bytes, sent = 0, ofRound = 0;
        for (int round = 0; round < CallerRounds || (ofRound >= LargeRound && sent < CallerBytes); round++)
        {
            if (SendRound(batch) is not { } next) return;
            batch = next;
            ofRound = Counters.Bytes - before - sent; // this thread is still the sender and owns the counters
            sent += ofRound;
        }

        _handedOver = batch;
        session.Options.Work.Add(this);
    }

    void IThreadPoolWorkItem.Execute()
    {
        var batch = _handedOver;
        _handedOver = null;
        while (batch is not null) batch = SendRound(batch);
    }

    private OutboundBlock? SendRound(OutboundBlock batch)
    {
        long accepted = 0;
        var block = batch;
        bool isRefused = false;
        while (block is not null && !isRefused)
        {
            int sent = block is { Next: null, Pieces: 1 } or { IsSecret: true } ? Offer(block, out int offered) : OfferSeveral(block, out offered);
            Counters.Sends++;
            accepted += sent;
            isRefused = sent < offered;
            for (; block is not null && block.UnsentLength <= sent; block = block.Return()) sent -= block.UnsentLength;
            if (isRefused) block!.Consume(sent);
        }

        Counters.Bytes += accepted;
        return EndRound(accepted, refused: block);
    }

    private int Offer(OutboundBlock block, out int offered)
    {
        offered = block.UnsentLength;
        return link.Send(block.Unsent);
    }

    private int OfferSeveral(OutboundBlock first, out int offered)
    {
        var pieces = default(Pieces);
        int count = 0;
        offered = 0;
        // A link may copy pieces, and only the block of a secret is wiped: it is sent alone.
        for (var block = first; block is { IsSecret: false } && count <= Link.MaxPieces - OutboundBlock.MostPieces; block = block.Next)
        {
            block.List(pieces[count..]);
            count += block.Pieces;
            offered += block.UnsentLength;
        }

        return link.SendPieces(pieces[..count]);
    }

    /// <returns>The blocks that this thread sends next, or null if it is no longer the sender.</returns>
    private OutboundBlock? EndRound(long accepted, OutboundBlock? refused)
    {
        var aftermath = default(Aftermath);
        OutboundBlock? next;
        bool isInVain = link.DropsOutput; // read before the lock is taken
        session.Options.Load?.OnSent(); // once for a send, which costs microseconds, and not for each call
        lock (session.Gate)
        {
            if (isInVain) session.Outbound.BulkLocked.Stop();
            next = session.Outbound.EndRoundLocked(accepted, refused);
            if (session.State == ConnectionState.Closed) return null;
            if (session.Outbound.IsBlockedLocked) OnBlockedLocked(accepted);
            else if (session.Timers.IsBlocked) session.Timers.OnUnblocked(session.Clock.Now);
            session.RequestTickLocked(session.Timers.StallDue);
            AwaitBulkCreditLocked();
            TimeBacklogLocked(accepted);
            if (session.ParkedRequests > 0) session.UnparkLocked();
            session.AwaitMemoryLocked();
            session.FinishLocked(ref aftermath);
            next ??= aftermath.Batch;
            aftermath.Batch = null;
        }

        session.Complete(ref aftermath);
        return next;
    }

    private void OnBlockedLocked(long accepted)
    {
        session.AssertLocked();
        long now = session.Clock.Now;
        session.Timers.OnBlocked(now, accepted > 0);
        session.Timers.OnTaken(now, accepted);
        session.RequestTickLocked(session.Timers.ReadingDue);
        session.Options.Shared?.Stalls?.OnStalled(now);
    }

    /// <summary>
    /// Finished replies belong to no call whose deadline would end them: a peer that grants no credit for them has the stall timeout. Requests wait as long as
    /// their calls do.
    /// </summary>
    private void AwaitBulkCreditLocked()
    {
        session.AssertLocked();
        if (!session.IsAccepting || !session.Outbound.BulkLocked.AwaitsCredit) return;
        long now = session.Clock.Now;
        session.Timers.OnAwaitsBulkCredit(now);
        session.Options.Shared?.Stalls?.OnStalled(now);
        session.RequestTickLocked(session.Timers.BulkCreditDue);
    }

    /// <summary>Times how long bytes wait, from when the peer first does not take them until all are sent.</summary>
    private void TimeBacklogLocked(long accepted)
    {
        session.AssertLocked();
        var timers = session.Timers;
        bool isBehind = timers.BehindSince != Clock.Never;
        if (session.Outbound.IsEmptyLocked)
        {
            if (isBehind) timers.OnCaughtUp();
        }
        else if (isBehind || session.Outbound.IsBlockedLocked || timers.BulkCreditDue != Clock.Never)
        {
            timers.OnBehind(session.Clock.Now, accepted, session.Outbound.UnsentLocked);
        }
    }

    [InlineArray(Link.MaxPieces)]
    private struct Pieces
    {
        private ReadOnlyMemory<byte> _first;
    }
}

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

/// <summary>Counts what one connection has sent. Written only by its sender.</summary>
internal sealed class SendCounters
{
    public long Bytes;

    /// <summary>Number of sends to the link: with sockets, system calls.</summary>
    public long Sends;

    /// <summary>Cost of all items of streams that were handed over (PROTOCOL.md section 6.2). Written under the connection's lock.</summary>
    public long ItemCost;
}
