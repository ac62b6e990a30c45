using Mux.Transports;

namespace Mux.Core.Tests.Threaded;

/// <summary>One end of a pair in memory whose deliveries run on a thread of its own, and whose room is small, so that senders are refused and told on other threads.</summary>
internal sealed class ThreadedLink : Link
{
    private const int Room = 20_000;

    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _changed = new(0);
    private readonly List<byte> _received = [];
    private readonly Thread _pump;
    private ILinkHandler _handler = null!;
    private ThreadedLink _peer = null!;
    private bool _peerWaitsForRoom;
    private bool _ended;
    private bool _closed;

    private ThreadedLink() => _pump = new Thread(Pump) { IsBackground = true };

    public override string RemoteAddress => "threaded";

    public override bool HasUndeliveredInput
    {
        get
        {
            lock (_gate) return _received.Count > 0;
        }
    }

    public static (ThreadedLink Dialing, ThreadedLink Accepting) CreatePair()
    {
        var (dialing, accepting) = (new ThreadedLink(), new ThreadedLink());
        (dialing._peer, accepting._peer) = (accepting, dialing);
        return (dialing, accepting);
    }

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        _pump.Start();
    }

    public override int Send(ReadOnlySpan<byte> bytes) => _peer.Accept(bytes);

    public override void ShutdownSend() => _peer.End();

    public override void Close()
    {
        lock (_gate) _closed = true;
        _changed.Release();
        _peer.End();
    }

    private int Accept(ReadOnlySpan<byte> bytes)
    {
        int accepted;
        lock (_gate)
        {
            if (_closed || _ended) return bytes.Length;
            accepted = Math.Min(bytes.Length, Room - _received.Count);
            _received.AddRange(bytes[..accepted]);
            _peerWaitsForRoom |= accepted < bytes.Length;
        }

        _changed.Release();
        return accepted;
    }

    private void End()
    {
        lock (_gate) _ended = true;
        _changed.Release();
    }

    private void Pump()
    {
        _handler.OnConnected();
        byte[] tail = [];
        while (true)
        {
            _changed.Wait();
            bool notify, end;
            byte[] bytes;
            lock (_gate)
            {
                bytes = [.. tail, .. _received];
                notify = _peerWaitsForRoom;
                end = _closed || (_ended && _received.Count == 0);
                _peerWaitsForRoom = false;
                _received.Clear();
            }

            if (end) break;
            if (notify) ThreadPool.UnsafeQueueUserWorkItem(static peer => peer._handler.OnWritable(), _peer, preferLocal: false);
            if (bytes.Length == tail.Length) continue;
            tail = bytes[_handler.OnReceived(bytes)..];
            _handler.OnBatchEnd();
            _changed.Release(); // an end that came meanwhile is looked at
        }

        _handler.OnClosed(_closed ? LinkCloseCause.Closed : LinkCloseCause.EndOfStream, error: null);
        _peer.End();
    }
}
