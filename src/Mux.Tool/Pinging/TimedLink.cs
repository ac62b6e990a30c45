using System.Diagnostics;
using Mux.Transports;

namespace Mux.Tool.Pinging;

/// <summary>A dialed link between the engine and the real link: notes when it connects, and the HELLO of the server.</summary>
internal sealed class TimedLink(Link inner) : Link, ILinkHandler
{
    private readonly List<byte> _first = []; // of the server, until its HELLO is complete
    private ILinkHandler? _handler;
    private int _redelivered; // bytes of the next delivery that came before
    private volatile bool _isRead;
    private volatile ServerHello? _hello;
    private long _startedAt;
    private long _connectedAt;

    public override string RemoteAddress => inner.RemoteAddress;

    public override PeerIdentity? Identity => inner.Identity;

    public override ReadOnlyMemory<byte> ChannelBinding => inner.ChannelBinding;

    public override bool DropsOutput => inner.DropsOutput;

    public override bool HasUndeliveredInput => inner.HasUndeliveredInput;

    public override bool CanHandOver => inner.CanHandOver;

    /// <summary>Timestamp at which it connected, TLS included; 0 before.</summary>
    public long ConnectedAt => Volatile.Read(ref _connectedAt);

    /// <summary>Time that it took to connect, with the look-up of the name and the handshake of TLS.</summary>
    public TimeSpan ConnectTime => Stopwatch.GetElapsedTime(Volatile.Read(ref _startedAt), ConnectedAt);

    /// <summary>What the server says of itself; null before.</summary>
    public ServerHello? Hello => _hello;

    public override bool TryJoinBatch() => inner.TryJoinBatch();

    public override void EndJoinedBatches() => inner.EndJoinedBatches();

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        Volatile.Write(ref _startedAt, Stopwatch.GetTimestamp());
        inner.Start(this);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => inner.Send(bytes);

    public override int SendPieces(ReadOnlySpan<ReadOnlyMemory<byte>> pieces) => inner.SendPieces(pieces);

    public override void ShutdownSend() => inner.ShutdownSend();

    public override void HandOver(int consumed) => inner.HandOver(consumed);

    public override void Close() => inner.Close();

    void ILinkHandler.OnConnected()
    {
        Volatile.Write(ref _connectedAt, Stopwatch.GetTimestamp());
        _handler!.OnConnected();
    }

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes)
    {
        if (_isRead) return _handler!.OnReceived(bytes);
        _first.AddRange(bytes[_redelivered..]);
        _isRead = ServerHello.TryRead(_first.ToArray(), out var hello);
        _hello = hello;
        int consumed = _handler!.OnReceived(bytes);
        _redelivered = bytes.Length - consumed;
        return consumed;
    }

    void ILinkHandler.OnBatchEnd() => _handler!.OnBatchEnd();

    void ILinkHandler.OnWritable() => _handler!.OnWritable();

    void ILinkHandler.OnClosed(LinkCloseCause cause, Exception? error) => _handler!.OnClosed(cause, error);
}
