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

    private OutboundBlock? _handedOver; // the sender's; written before the work item is queued and read by it

    /// <summary>What was sent. Written by the sender.</summary>
    public SendCounters Counters { get; } = new();

    public void Run(OutboundBlock batch)
    {
        for (int round = 0; round < CallerRounds; round++)
        {
            if (SendRound(batch) is not { } next) return;
            batch = next;
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
