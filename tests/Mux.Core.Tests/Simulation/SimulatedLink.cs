using Mux.Transports;

namespace Mux.Core.Tests.Simulation;

/// <summary>One end of a simulated connection. Nothing happens by itself: the simulation picks what happens next among what may.</summary>
internal sealed class SimulatedLink(SimulatedPipe incoming, SimulatedPipe outgoing, Random random) : Link
{
    private readonly byte[] _tail = new byte[MaxUnconsumedBytes + 1];
    private ILinkHandler _handler = null!;
    private int _tailLength;
    private bool _connected;
    private bool _batchOpen;
    private bool _writableOwed;
    private bool _closing;
    private bool _sendEnded;

    /// <summary>Runs while a sender has handed over bytes and not reported it: what other threads may do just then.</summary>
    public Action? Meanwhile { get; set; }

    public bool IsClosed { get; private set; }

    public SimulatedPipe Outgoing => outgoing;

    public override string RemoteAddress => "simulated";

    public override bool HasUndeliveredInput => incoming.InFlight > 0;

    public bool MayConnect => !_connected && !IsClosed && !_closing && _handler is not null;

    public bool MayDeliver => _connected && !IsClosed && !_closing && incoming.InFlight > 0;

    public bool MayEndBatch => _batchOpen;

    public bool MayBeWritable => _connected && !IsClosed && _writableOwed && (outgoing.HasRoom || outgoing.IsBroken);

    public bool MayClose => !IsClosed && _handler is not null && !_batchOpen && (_closing || (_connected && incoming.InFlight == 0 && (incoming.IsEnded || incoming.IsBroken)));

    public override void Start(ILinkHandler handler) => _handler = handler;

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        Assert.False(_sendEnded, "Send after ShutdownSend.");
        int accepted = _closing || IsClosed ? bytes.Length : outgoing.Accept(bytes);
        Meanwhile?.Invoke();
        if (accepted == bytes.Length) return accepted;
        _writableOwed = true;
        if (outgoing.HasRoom && random.Next(2) == 0) OnWritable(); // by another thread, before the sender knows that it was refused
        return accepted;
    }

    public override void ShutdownSend()
    {
        Assert.False(_sendEnded, "ShutdownSend twice.");
        _sendEnded = true;
        outgoing.IsEnded = true;
    }

    public override void Close() => _closing = true;

    public void Connect()
    {
        _connected = true;
        _handler.OnConnected();
    }

    /// <summary>Delivers up to <paramref name="count"/> bytes.</summary>
    public void Deliver(int count)
    {
        count = Math.Min(Math.Min(count, incoming.InFlight), _tail.Length - _tailLength);
        incoming.Take(count).CopyTo(_tail.AsSpan(_tailLength));
        _tailLength += count;
        _batchOpen = true;
        int consumed = _handler.OnReceived(_tail.AsSpan(0, _tailLength));
        Assert.InRange(consumed, 0, _tailLength);
        _tail.AsSpan(consumed, _tailLength - consumed).CopyTo(_tail);
        _tailLength -= consumed;
        Assert.InRange(_tailLength, 0, MaxUnconsumedBytes);
    }

    public void EndBatch()
    {
        _batchOpen = false;
        _handler.OnBatchEnd();
    }

    public void OnWritable()
    {
        _writableOwed = false;
        _handler.OnWritable();
    }

    /// <summary>Tells the handler of the end, and the other end by its own.</summary>
    public void OnClosed()
    {
        IsClosed = true;
        if (!outgoing.IsEnded && !outgoing.IsBroken) outgoing.Break(random.Next(outgoing.InFlight + 1));
        var cause = _closing ? LinkCloseCause.Closed : incoming.IsEnded ? LinkCloseCause.EndOfStream : LinkCloseCause.Reset;
        _handler.OnClosed(_connected ? cause : LinkCloseCause.ConnectFailed, error: null);
    }
}
