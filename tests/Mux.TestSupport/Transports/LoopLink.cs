using System.Diagnostics;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>One end of a connection. Everything is the loop's but the pipes, which are locked, and the volatile flags.</summary>
internal sealed class LoopLink : Link
{
    private const int Capacity = 65_536;

    private readonly LoopTransport _loop;
    private readonly MuxAddress? _address; // of a dialed link
    private readonly LoopListener? _listener; // of an accepted link
    private readonly ReceiveBuffer _buffer = new();
    private readonly InMemoryPipe _inbound = new(Capacity);
    private LoopLink? _peer;
    private ILinkHandler? _handler;
    private bool _isOpen;
    private bool _isReported;
    private LinkCloseCause _cause;
    private Exception? _error;
    private volatile bool _isOver;
    private volatile bool _isCloseWanted;
    private volatile bool _isDelivering;

    public LoopLink(LoopTransport loop, MuxAddress address)
    {
        _loop = loop;
        _address = address;
    }

    private LoopLink(LoopTransport loop, LoopListener listener, LoopLink peer)
    {
        _loop = loop;
        _listener = listener;
        _peer = peer;
    }

    public override string RemoteAddress => "loop";

    public override bool HasUndeliveredInput
    {
        get
        {
            lock (_inbound) return !_isOver && (_isDelivering || _inbound.Count > 0);
        }
    }

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        _loop.Post(this, LoopCommand.Open);
    }

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        if (_isOver || _peer is not { } peer) return bytes.Length;
        int accepted;
        lock (peer._inbound)
        {
            accepted = peer._inbound.Write(bytes);
            if (accepted < bytes.Length) peer._inbound.IsWritableOwed = true;
        }

        peer.PostInput();
        return accepted;
    }

    public override void ShutdownSend()
    {
        if (_peer is not { } peer) return;
        lock (peer._inbound) peer._inbound.IsEnded = true;
        peer.PostInput();
    }

    public override void Close()
    {
        _isCloseWanted = true;
        _loop.Post(this, LoopCommand.Close);
    }

    public void Run(LoopCommand command)
    {
        switch (command)
        {
            case LoopCommand.Accept: _listener!.Accept(this); break;
            case LoopCommand.Open: Open(); break;
            case LoopCommand.Input: if (_isOpen) _loop.MarkReady(this); break;
            case LoopCommand.Writable: if (!_isOver) _handler!.OnWritable(); break;
            case LoopCommand.Close: End(LinkCloseCause.Closed, null); break;
            default: throw new UnreachableException();
        }
    }

    public bool Deliver()
    {
        if (_isOver || _isCloseWanted) return false;
        int count;
        bool isWritableOwed;
        lock (_inbound)
        {
            if (_inbound.Count == 0) return false;
            var room = _buffer.Room();
            count = Math.Min(room.Length, _inbound.Count);
            _inbound.Read(room[..count]);
            isWritableOwed = _inbound.IsWritableOwed;
            _inbound.IsWritableOwed = false;
            _isDelivering = true;
        }

        if (isWritableOwed) _loop.Post(_peer!, LoopCommand.Writable);
        bool sound = _buffer.TryConsume(_handler!.OnReceived(_buffer.Arrived(count)));
        if (!sound) throw new InvalidOperationException("The handler consumed what it was not given.");
        _isDelivering = false;
        return true;
    }

    public void EndBatch() => _handler!.OnBatchEnd();

    /// <summary>After the ends of all batches: parks the buffer, and looks whether the stream is over or there is more.</summary>
    public void EndRound()
    {
        bool isEnded;
        lock (_inbound)
        {
            _inbound.IsDeliveryPosted = false;
            isEnded = _inbound is { Count: 0, IsEnded: true };
        }

        if (_isOver) return;
        _buffer.Park();
        if (isEnded && !_isCloseWanted) End(LinkCloseCause.EndOfStream, null);
        else PostInput();
    }

    private void Open()
    {
        if (!_isOver && _address is not null && !TryConnect(_address))
            End(LinkCloseCause.ConnectFailed, new IOException($"Cannot connect to {_address}: connection refused."));
        if (_isOver)
        {
            Report();
            return;
        }

        _isOpen = true;
        _handler!.OnConnected();
        PostInput();
    }

    private bool TryConnect(MuxAddress address)
    {
        if (_loop.FindListener(address) is not { } listener) return false;
        _peer = new LoopLink(_loop, listener, this);
        _loop.Post(_peer, LoopCommand.Accept);
        return true;
    }

    /// <summary>Has the loop look at the inbound pipe, if there is something in it and it has not been asked yet.</summary>
    private void PostInput()
    {
        lock (_inbound)
        {
            if (!_isOpen || _inbound.IsDeliveryPosted || _inbound is { Count: 0, IsEnded: false }) return;
            _inbound.IsDeliveryPosted = true;
        }

        _loop.Post(this, LoopCommand.Input);
    }

    private void End(LinkCloseCause cause, Exception? error)
    {
        if (_isOver) return;
        _cause = cause;
        _error = error;
        _isOver = true;
        bool isWritableOwed;
        lock (_inbound)
        {
            _inbound.Abandon();
            isWritableOwed = _inbound.IsWritableOwed;
        }

        if (isWritableOwed) _loop.Post(_peer!, LoopCommand.Writable);
        ShutdownSend();
        if (_handler is not null) Report();
    }

    private void Report()
    {
        if (_isReported) return;
        _isReported = true;
        _buffer.Release();
        _handler!.OnClosed(_cause, _error);
    }
}
