using Mux.Transports;

namespace Mux.Core.Tests.Simulation;

/// <summary>One end of a pair without faults: what one sends the other reads in large batches, as fast as one thread can. Memory is there from the start.</summary>
internal sealed class DirectLink : Link
{
    private readonly byte[] _received = new byte[1024 * 1024];
    private int _length;
    private ILinkHandler _handler = null!;
    private DirectLink _peer = null!;

    public override string RemoteAddress => "direct";

    public override bool HasUndeliveredInput => _length > 0;

    public static (DirectLink Dialing, DirectLink Accepting) CreatePair()
    {
        var (dialing, accepting) = (new DirectLink(), new DirectLink());
        (dialing._peer, accepting._peer) = (accepting, dialing);
        return (dialing, accepting);
    }

    public override void Start(ILinkHandler handler) => _handler = handler;

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_peer._received.AsSpan(_peer._length));
        _peer._length += bytes.Length;
        return bytes.Length;
    }

    public override void ShutdownSend()
    {
    }

    public override void Close()
    {
    }

    public void Connect() => _handler.OnConnected();

    /// <summary>Delivers everything that was there when it began, as one batch.</summary>
    public void Deliver()
    {
        int consumed = _handler.OnReceived(_received.AsSpan(0, _length));
        _received.AsSpan(consumed, _length - consumed).CopyTo(_received);
        _length -= consumed;
        _handler.OnBatchEnd();
    }
}
