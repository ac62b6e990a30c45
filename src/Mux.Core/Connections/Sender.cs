using Mux.Lanes;
using Mux.Transports;

namespace Mux.Connections;

/// <summary>Hands blocks to the link, one thread at a time and outside the lock. Whoever gets blocks from <see cref="OutboundQueue.TryBeginLocked"/> is the sender and calls <see cref="Run"/>.</summary>
internal sealed class Sender(Connection connection, Link link) : IThreadPoolWorkItem
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

    private OutboundBlock? _handedOver; // the sender's; written before the work item is queued and read by it

    /// <summary>What was sent. Written by the sender.</summary>
    public SendCounters Counters { get; } = new();

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
        connection.Options.Work.Add(this);
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
        return connection.AfterSend(accepted, refused: block);
    }
}
