using System.Diagnostics;

namespace Mux.Transports.Epoll;

/// <summary>The receiving side of one link. Everything is the leader's of the loop, but <see cref="IsDelivering"/> and <see cref="HasJoined"/>.</summary>
internal sealed class EpollReceiver(EpollLink link, EventLoop loop, int socket, ILinkHandler handler)
{
    // 32 of the smallest requests: with less, slow handlers would have a system call each.
    private const int LeastShare = 512;

    // Of a link that nobody has seen at work: peers that come, send much and go are short turns too.
    private const int FirstShare = 16_384;

    // What a delivery may take while the loop has others to come to: some 400 small calls, as long as the loop's batches wait. At 50 us, pipelines of 200 calls
    // were cut in two and made a third more sends; at 1 ms, which 64 KiB of small calls take, who sends a few at a time waits behind who never pauses.
    private static readonly long s_longestDelivery = Stopwatch.Frequency / 10_000;

    private readonly ReceiveBuffer _buffer = new();
    private int _share = FirstShare; // what the next receive takes at most

    // From before a receive until its bytes were delivered: they are no longer in the operating system and not yet the handler's.
    private volatile bool _delivering;
    private bool _isReleased;

    public bool IsDelivering => _delivering;

    /// <summary>Whether somebody waits for the end of this batch. <see cref="JoinedBatch"/>'s, under its lock.</summary>
    public bool HasJoined { get; set; }

    /// <summary>One receive and its delivery. The kernel reports again what it leaves.</summary>
    /// <returns>False when another thread leads the loop by now.</returns>
    public bool Receive()
    {
        var room = _buffer.Room();
        if (room.Length > _share) room = room[.._share];
        _delivering = true;
        int received = Libc.Receive(socket, room, out int error);
        if (received > 0)
        {
            if (_share < ReceiveBuffer.BatchSize) _share = Math.Min(ReceiveBuffer.BatchSize, _share + received / 4);
            loop.OweBatchEnd(this);
            if (!TryDeliver(received)) return false;
        }
        else if (received == 0)
        {
            link.EndOfStream();
        }
        else if (error != Errno.Again)
        {
            link.End(Errno.ToSocketError(error));
        }

        _delivering = false;
        _buffer.Park();
        return true;
    }

    /// <summary>Goes on in the place of a thread that is in <see cref="ILinkHandler.OnReceived"/>.</summary>
    /// <returns>False when another thread leads the loop by now.</returns>
    public bool Continue(int consumed)
    {
        Consume(consumed);
        if (_buffer.Unconsumed > 0 && !link.IsOver && !TryDeliver(0)) return false;
        _delivering = false;
        _buffer.Park();
        return true;
    }

    /// <summary>
    /// How long the last delivery took while others waited for its end. After one that took too long the next receive takes half: a bound by work instead of by
    /// bytes, of which 64 KiB are part of one message or 4,000 small calls. Half, and not in proportion: a thread that lost its processor took long as well.
    /// What is received adds a quarter of itself again, so a link that fills its receives is back at the most after some twenty, and one that sends single
    /// bytes between is not.
    /// </summary>
    public void Took(long ticks)
    {
        if (ticks > s_longestDelivery) _share = Math.Max(LeastShare, _share / 2);
    }

    /// <summary>All that was there has been delivered.</summary>
    public void EndBatch()
    {
        if (_isReleased) return; // joined before the end
        try
        {
            handler.OnBatchEnd();
        }
        catch (Exception error)
        {
            link.OnFault(error);
        }
    }

    /// <summary>After the last delivery.</summary>
    public void Release()
    {
        _delivering = false;
        _isReleased = true;
        _buffer.Release();
    }

    /// <returns>False when another thread has taken this one's place.</returns>
    private bool TryDeliver(int arrived)
    {
        int consumed = handler.OnReceived(_buffer.Arrived(arrived));
        if (consumed == Link.HandedOver) return false;
        Consume(consumed);
        return true;
    }

    private void Consume(int consumed)
    {
        if (!_buffer.TryConsume(consumed))
        {
            link.End(LinkCloseCause.Failed, new InvalidOperationException("The link's handler consumed bytes it was not given, or left too many."));
        }
    }
}
