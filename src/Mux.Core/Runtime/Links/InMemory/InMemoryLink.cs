using System.Diagnostics;
using Mux.Transports;
using Mux.Transports.InMemory;

namespace Mux.Runtime;

/// <summary>One end of a connection. The pump's gate guards all fields; callbacks run on the pump, without the gate. User code may run
/// on the threads that take it.</summary>
internal sealed class InMemoryLink : Link
{
    private readonly InMemoryNetwork _network;
    private readonly MuxAddress? _address; // set for a dialed link
    private readonly InMemoryListener? _listener; // set for an accepted link
    private readonly ReceiveBuffer _buffer = new(); // owned by the pump
    private ILinkHandler? _handler;

    // Set together when the connection is established.
    private InMemoryConnection? _connection;
    private InMemoryLink? _peer;
    private InMemoryPipe? _inbound;
    private InMemoryPipe? _outbound;
    private string _remoteAddress = string.Empty;

    private bool _isOpen; // OnConnected was called or is about to be called
    private bool _isDelivering; // bytes have left the pipe and OnReceived has not returned
    private LinkCloseCause? _cause; // once the link is over
    private Exception? _error;

    /// <summary>Creates a link that connects when it is started.</summary>
    public InMemoryLink(InMemoryNetwork network, MuxAddress address)
    {
        _network = network;
        _address = address;
    }

    /// <summary>Creates the accepting end of a connection.</summary>
    public InMemoryLink(InMemoryNetwork network, InMemoryListener listener)
    {
        _network = network;
        _listener = listener;
    }

    public override string RemoteAddress => _remoteAddress;

    public override bool HasUndeliveredInput
    {
        get
        {
            using (Pump.Enter()) return _cause is null && (_isDelivering || _inbound is { Count: > 0 });
        }
    }

    /// <summary>True unless the test pumps: it would not have the thread back.</summary>
    public override bool CanHandOver => Pump.CanHandOver;

    private InMemoryPump Pump => _network.Pump;

    /// <summary>Makes this link one end of a connection.</summary>
    public void AttachLocked(InMemoryConnection connection, InMemoryLink peer, InMemoryPipe inbound, InMemoryPipe outbound, string remoteAddress)
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        _connection = connection;
        _peer = peer;
        _inbound = inbound;
        _outbound = outbound;
        _remoteAddress = remoteAddress;
    }

    public override void Start(ILinkHandler handler)
    {
        using (Pump.Enter())
        {
            _handler = handler;
            Pump.PostLocked(this, _cause is null ? InMemoryEventKind.Open : InMemoryEventKind.Closed);
        }
    }

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        using (Pump.Enter())
        {
            if (_cause is not null || _outbound is not { } outbound) return bytes.Length;
            int accepted = outbound.Write(bytes);
            if (accepted < bytes.Length) outbound.IsWritableOwed = true;
            _peer!.PostDeliveryLocked();
            return accepted;
        }
    }

    public override void ShutdownSend()
    {
        using (Pump.Enter()) EndOutboundLocked();
    }

    public override void Close()
    {
        using (Pump.Enter()) EndLocked(LinkCloseCause.Closed, null);
    }

    public void BreakLocked(IOException error)
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        _inbound!.Abandon();
        EndLocked(LinkCloseCause.Reset, error);
    }

    public void HoldLocked()
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        _inbound!.IsHeld = true;
    }

    public void ReleaseLocked()
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        _inbound!.IsHeld = false;
        PostDeliveryLocked();
    }

    /// <summary>Continues in place of the thread that is still in <see cref="ILinkHandler.OnReceived"/>, and pumps in its place.</summary>
    public override void HandOver(int consumed)
    {
        if (!CanHandOver) base.HandOver(consumed);
        Pump.HandOver(this, consumed);
    }

    /// <summary>Delivers the rest of a delivery whose thread was lost, and ends it.</summary>
    /// <returns>False if another thread has taken over from this one, too.</returns>
    public bool Continue(int consumed)
    {
        Consume(consumed);
        if (_buffer.Unconsumed > 0 && !IsOver && !TryDeliver(0)) return false;
        EndDelivery(delivered: true);
        return true;
    }

    /// <summary>Runs an event of this link, on the pump.</summary>
    /// <returns>False if another thread has taken over the pump from this one.</returns>
    public bool Run(InMemoryEventKind kind)
    {
        switch (kind)
        {
            case InMemoryEventKind.Accept: _listener!.Accept(this); break;
            case InMemoryEventKind.Open: Open(); break;
            case InMemoryEventKind.Deliver: return Deliver();
            case InMemoryEventKind.Writable: BecomeWritable(); break;
            case InMemoryEventKind.Closed: ReportEnd(); break;
            default: throw new UnreachableException();
        }

        return true;
    }

    private void Open()
    {
        using (Pump.Enter())
        {
            if (_cause is not null) return; // its end is already posted
            if (_address is not null && !_network.TryConnectLocked(this, _address))
            {
                EndLocked(LinkCloseCause.ConnectFailed, new IOException($"Nothing listens at {_address} on this InMemoryTransport; was the server started?"));
                return;
            }

            _isOpen = true;
        }

        _handler!.OnConnected();
        using (Pump.Enter()) PostDeliveryLocked();
    }

    private bool IsOver
    {
        get
        {
            using (Pump.Enter()) return _cause is not null;
        }
    }

    /// <returns>False if another thread has taken over.</returns>
    private bool Deliver()
    {
        bool delivered = false;
        while (TryTake(out int count))
        {
            delivered = true;
            if (!TryDeliver(count)) return false;
            if (!_network.ContinuesBatch()) break;
        }

        EndDelivery(delivered);
        return true;
    }

    /// <returns>False if another thread has taken over.</returns>
    private bool TryDeliver(int arrived)
    {
        int consumed = _handler!.OnReceived(_buffer.Arrived(arrived));
        if (consumed == HandedOver) return false;
        Consume(consumed);
        return true;
    }

    private void Consume(int consumed)
    {
        bool sound = _buffer.TryConsume(consumed);
        using (Pump.Enter()) _isDelivering = false;
        if (!sound) Fail(new InvalidOperationException("The handler of the link consumed more bytes than it got, or left too many."));
    }

    private void EndDelivery(bool delivered)
    {
        if (delivered) _handler!.OnBatchEnd();
        _buffer.Park();

        using (Pump.Enter())
        {
            _inbound!.IsDeliveryPosted = false;
            if (_inbound is { Count: 0, IsEnded: true, IsHeld: false }) EndLocked(LinkCloseCause.EndOfStream, null);
            PostDeliveryLocked();
        }
    }

    private bool TryTake(out int count)
    {
        using (Pump.Enter())
        {
            count = 0;
            if (_cause is not null || _inbound is not { IsHeld: false, Count: > 0 } inbound) return false;
            var room = _buffer.Room();
            count = _network.NextDelivery(Math.Min(inbound.Count, room.Length));
            inbound.Read(room[..count]);
            _isDelivering = true;
            PostWritableLocked(inbound, _peer!);
            return true;
        }
    }

    private void BecomeWritable()
    {
        using (Pump.Enter())
        {
            if (_cause is not null) return;
        }

        _handler!.OnWritable();
    }

    private void ReportEnd()
    {
        _buffer.Release();
        _handler!.OnClosed(_cause!.Value, _error);
    }

    /// <summary>Ends the link because its handler has broken its promise.</summary>
    public void Fail(Exception error)
    {
        using (Pump.Enter()) EndLocked(LinkCloseCause.Failed, error);
    }

    /// <summary>Ends the link; only the first end counts. Accepted bytes are still delivered, then the peer's stream ends.</summary>
    private void EndLocked(LinkCloseCause cause, Exception? error)
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        if (_cause is not null) return;
        _cause = cause;
        _error = error;
        if (_handler is not null) Pump.PostLocked(this, InMemoryEventKind.Closed);
        if (_connection is null) return;

        _inbound!.Abandon();
        PostWritableLocked(_inbound, _peer!);
        EndOutboundLocked();
        if (_peer!._cause is not null) _network.RemoveLocked(_connection);
    }

    private void EndOutboundLocked()
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        if (_outbound is null) return;
        _outbound.IsEnded = true;
        _peer!.PostDeliveryLocked();
    }

    /// <summary>Posts a delivery to this link if there is something to deliver and no delivery is posted.</summary>
    private void PostDeliveryLocked()
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        if (_inbound is not { IsDeliveryPosted: false, IsHeld: false } inbound || !_isOpen || _cause is not null) return;
        if (inbound.Count == 0 && !inbound.IsEnded) return;
        inbound.IsDeliveryPosted = true;
        Pump.PostLocked(this, InMemoryEventKind.Deliver);
    }

    private void PostWritableLocked(InMemoryPipe pipe, InMemoryLink writer)
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        if (!pipe.IsWritableOwed) return;
        pipe.IsWritableOwed = false;
        if (writer._cause is null) Pump.PostLocked(writer, InMemoryEventKind.Writable);
    }
}

/// <summary>One direction of a connection: a bounded ring of bytes between a writing and a reading link. All members require the pump's gate.</summary>
internal sealed class InMemoryPipe(int capacity)
{
    // Rented while it holds bytes.
    private byte[]? _ring;
    private int _start;

    /// <summary>Bytes sent and not yet delivered to the reader.</summary>
    public int Count { get; private set; }

    /// <summary>True once the writer has ended its stream. The reader learns of it after the last byte.</summary>
    public bool IsEnded { get; set; }

    /// <summary>True once the reader is gone: written bytes are dropped.</summary>
    public bool IsAbandoned { get; private set; }

    /// <summary>True while a test holds deliveries back.</summary>
    public bool IsHeld { get; set; }

    /// <summary>True while a delivery is queued in the pump or running.</summary>
    public bool IsDeliveryPosted { get; set; }

    /// <summary>True while the writer waits for the reader to make room.</summary>
    public bool IsWritableOwed { get; set; }

    /// <summary>Writes the bytes that fit.</summary>
    /// <returns>Number of bytes accepted from the front.</returns>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        if (IsAbandoned) return bytes.Length;
        int accepted = Math.Min(bytes.Length, capacity - Count);
        if (accepted == 0) return 0;

        _ring ??= BufferPool.Rent(capacity);
        int end = (_start + Count) % capacity;
        int first = Math.Min(accepted, capacity - end);
        bytes[..first].CopyTo(_ring.AsSpan(end));
        bytes[first..accepted].CopyTo(_ring);
        Count += accepted;
        return accepted;
    }

    /// <summary>Moves the oldest bytes out; the pipe must hold as many.</summary>
    public void Read(Span<byte> destination)
    {
        int first = Math.Min(destination.Length, capacity - _start);
        _ring.AsSpan(_start, first).CopyTo(destination);
        _ring.AsSpan(0, destination.Length - first).CopyTo(destination[first..]);
        _start = (_start + destination.Length) % capacity;
        Count -= destination.Length;
        if (Count == 0) Drop();
    }

    /// <summary>Drops the content and all later writes.</summary>
    public void Abandon()
    {
        IsAbandoned = true;
        Drop();
    }

    private void Drop()
    {
        if (_ring is not null) BufferPool.Return(_ring);
        _ring = null;
        _start = Count = 0;
    }
}
