namespace Mux.Transports.Epoll;

/// <summary>The receiving side of one link. Everything is the leader's of the loop, but <see cref="IsDelivering"/> and <see cref="HasJoined"/>.</summary>
internal sealed class EpollReceiver(EpollLink link, EventLoop loop, int socket, ILinkHandler handler)
{
    private readonly ReceiveBuffer _buffer = new();

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
        if (room.Length > ReceiveBuffer.BatchSize) room = room[..ReceiveBuffer.BatchSize];
        _delivering = true;
        int received = Libc.Receive(socket, room, out int error);
        if (received > 0)
        {
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
        if (!_buffer.TryConsume(consumed)) link.End(LinkCloseCause.Failed, new InvalidOperationException("The link's handler consumed bytes it was not given, or left too many."));
    }
}
