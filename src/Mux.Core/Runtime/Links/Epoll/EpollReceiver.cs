using System.Diagnostics;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// The receiving side of one link. Owned by the leader of the loop, except for <see cref="IsDelivering"/> and <see cref="BatchReceiver.HasJoined"/>.
/// </summary>
internal sealed class EpollReceiver(EpollLink link, EventLoop loop, int socket, ILinkHandler handler) : BatchReceiver
{
    // 32 of the smallest requests: with fewer, slow handlers would cost a system call each.
    private const int LeastShare = 512;

    // For a link whose load is unknown: peers that connect, send a lot and leave must also get short turns.
    private const int FirstShare = 16_384;

    // Maximum time of a delivery while other sources wait: some 400 small calls, the same bound as for the loop's batches. At 50 us, pipelines of 200 calls
    // were cut in two and cost a third more sends. At 1 ms (64 KiB of small calls), a peer that sends a few calls waits for peers that never pause.
    private static readonly long s_longestDelivery = Stopwatch.Frequency / 10_000;

    private readonly ReceiveBuffer _buffer = new();
    private int _share = FirstShare; // maximum size of the next receive
    private bool _wasLong; // the last delivery of some size that was timed took too long
    private int _received; // by the last receive

    // True from before a receive until its bytes are delivered: they have left the kernel but have not reached the handler.
    private volatile bool _delivering;
    private bool _isReleased;

    public bool IsDelivering => _delivering;

    /// <summary>Receives once and delivers the bytes. The kernel reports again what is left.</summary>
    /// <returns>False if another thread leads the loop by now.</returns>
    public bool Receive()
    {
        var room = _buffer.Room();
        if (room.Length > _share) room = room[.._share];
        _delivering = true;
        int received = Libc.Receive(socket, room, out int error);
        if (received > 0)
        {
            _received = received;
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

    /// <inheritdoc/>
    public override bool Continue(int consumed)
    {
        Consume(consumed);
        if (_buffer.Unconsumed > 0 && !link.IsOver && !TryDeliver(0)) return false;
        _delivering = false;
        _buffer.Park();
        return true;
    }

    /// <inheritdoc/>
    /// <remarks>
    /// <para>The second of two deliveries in a row that took too long halves the next receive; small ones between them do not count. Time is the bound because
    /// bytes say little: 64 KiB are part of one message or 4,000 small calls. One long delivery says nothing: its thread may have been preempted, which on a
    /// busy machine cut pipelines of 200 calls in two.</para>
    /// <para>Each receive adds a quarter of its own size. A link that fills its receives is back at the maximum after some twenty; a link that sends single
    /// bytes in between is not.</para>
    /// </remarks>
    public override void Took(long ticks)
    {
        bool isLong = ticks > s_longestDelivery;
        if (isLong && (_wasLong || ticks == long.MaxValue)) _share = Math.Max(LeastShare, _share / 2);
        if (isLong || _received >= _share / 4) _wasLong = isLong; // a peer that sends single frames in between gets no second chance by them
    }

    /// <inheritdoc/>
    public override void EndBatch()
    {
        if (_isReleased) return; // joined before the link ended
        try
        {
            handler.OnBatchEnd();
        }
        catch (Exception error)
        {
            link.OnFault(error);
        }
    }

    /// <summary>Releases the buffer after the last delivery.</summary>
    public void Release()
    {
        _delivering = false;
        _isReleased = true;
        _buffer.Release();
    }

    /// <returns>False if another thread has taken over from this one.</returns>
    private bool TryDeliver(int arrived)
    {
        int consumed = handler.OnReceived(_buffer.Arrived(arrived));
        if (consumed == Link.HandedOver) return false;
        Consume(consumed);
        return true;
    }

    private void Consume(int consumed)
    {
        if (!_buffer.TryConsume(consumed)) link.EndUnsound();
    }
}
