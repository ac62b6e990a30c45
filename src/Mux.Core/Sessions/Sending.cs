using Mux.Execution;
using Mux.Lanes;
using Mux.Sessions.Lifecycle;
using Mux.Transports;

namespace Mux.Sessions;

/// <summary>
/// The way of one connection's bytes from its queue to its link: who sends them, in which portions, and what follows when they are gone. One thread sends at a
/// time and outside the lock: whoever gets blocks from <see cref="OutboundQueue.TryBeginLocked"/> is the sender and calls <see cref="Run"/>.
/// </summary>
internal sealed class Sending(Session session, Link link) : IThreadPoolWorkItem
{
    /// <summary>
    /// A caller that found the sender idle sends what it found and once more what others appended meanwhile; then a worker goes on, so that no caller
    /// sends for the others for ever.
    /// </summary>
    private const int CallerRounds = 2;

    /// <summary>Rounds that carry large messages are many and short: of those a caller sends so many bytes, some 100 us.</summary>
    private const long CallerBytes = 256 * 1024;

    /// <summary>A round of at least so many bytes is one of those.</summary>
    private const long LargeRound = 16 * 1024;

    private Turn? _markedBy; // see DefersLocked; guarded by the lock
    private OutboundBlock? _handedOver; // the sender's; written before the work item is queued and read by it

    /// <summary>What was sent. Written by the sender.</summary>
    public SendCounters Counters { get; } = new();

    /// <summary>
    /// Who sends what was just appended: true if that is not the caller, but a turn of this thread or the one that goes on in its place (<see cref="Turn"/>),
    /// the end of the batch that this thread has begun (<see cref="SendBatch"/>), or the thread that receives for the link, when it is done with what it is at
    /// (<see cref="Link.TryJoinBatch"/>).
    /// </summary>
    public bool DefersLocked() => Turn.Defers(session, ref _markedBy) || SendBatch.Defers(session)
        || (session.Outbound.HasLittleToSendLocked && link.TryJoinBatch());

    /// <summary>What the caller has to send of what was just appended, by <see cref="Run"/> and without the lock; null if somebody else sends it.</summary>
    public OutboundBlock? TakeLocked() => DefersLocked() ? null : session.Outbound.TryBeginLocked();

    /// <summary>A turn or a batch sends what it has said it would.</summary>
    public void OnFlushLocked() => _markedBy = null;

    /// <summary>In a long turn, when it has flushed: what others wait for.</summary>
    public void EndJoinedBatches() => link.EndJoinedBatches();

    /// <summary>Sends blocks of <see cref="OutboundQueue.TryBeginLocked"/>, and some of what is appended meanwhile. The lock is not held.</summary>
    public void Run(OutboundBlock batch)
    {
        long before = Counters.Bytes, sent = 0, ofRound = 0;
        for (int round = 0; round < CallerRounds || (ofRound >= LargeRound && sent < CallerBytes); round++)
        {
            if (SendRound(batch) is not { } next) return;
            batch = next;
            ofRound = Counters.Bytes - before - sent; // this thread is still the sender, and the counters are its own
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
        while (block is not null)
        {
            int length = block.UnsentLength;
            int sent = link.Send(block.Unsent);
            Counters.Sends++;
            accepted += sent;
            block.Consume(sent);
            if (sent < length) break;
            block = block.Return();
        }

        Counters.Bytes += accepted;
        return EndRound(accepted, refused: block);
    }

    /// <returns>What this thread sends next, or null: it is no longer the sender.</returns>
    private OutboundBlock? EndRound(long accepted, OutboundBlock? refused)
    {
        var aftermath = default(Aftermath);
        OutboundBlock? next;
        bool isInVain = link.DropsOutput; // asked before the lock is taken
        lock (session.Gate)
        {
            if (isInVain) session.Outbound.BulkLocked.Stop();
            next = session.Outbound.EndRoundLocked(accepted, refused);
            if (session.State == ConnectionState.Closed) return null;
            if (session.Outbound.IsBlockedLocked) OnBlockedLocked(accepted);
            else session.Timers.OnUnblocked();
            session.RequestTickLocked(session.Timers.StallDue);
            AwaitBulkCreditLocked();
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
        long now = session.Clock.Now;
        session.Timers.OnBlocked(now, accepted > 0);
        session.Timers.OnTaken(now, accepted);
        session.RequestTickLocked(session.Timers.ReadingDue);
        session.Options.Shared?.Stalls.OnStalled(now);
    }

    /// <summary>
    /// Replies that are made are nobody's call any more, which a deadline would end: a peer that takes none of them has its time and no more. Requests wait as
    /// long as their calls do.
    /// </summary>
    private void AwaitBulkCreditLocked()
    {
        if (!session.IsAccepting || !session.Outbound.BulkLocked.AwaitsCredit) return;
        long now = session.Clock.Now;
        session.Timers.OnAwaitsBulkCredit(now);
        session.Options.Shared?.Stalls.OnStalled(now);
        session.RequestTickLocked(session.Timers.BulkCreditDue);
    }
}
