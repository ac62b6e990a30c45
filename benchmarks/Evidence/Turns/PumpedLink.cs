using System.Diagnostics;
using Mux.Transports;

namespace Evidence.Turns;

/// <summary>One end of a byte stream in memory. <see cref="Deliver"/> hands over what the other end has sent, and times it.</summary>
internal sealed class PumpedLink : Link
{
    // 200 calls in flight fill some 12 KB.
    private const int Capacity = 256 * 1024;

    private readonly Lock _gate = new(); // threads that end the connection send, too
    private byte[] _arrived = new byte[Capacity];
    private byte[] _delivered = new byte[Capacity];
    private int _count;
    private PumpedLink? _peer;
    private ILinkHandler? _handler;
    private bool _isConnected;
    private bool _isClosed;

    /// <summary>Ticks of <see cref="Stopwatch"/> that deliveries took.</summary>
    public long Busy { get; set; }

    public override string RemoteAddress => "memory";

    public override bool HasUndeliveredInput => Volatile.Read(ref _count) > 0;

    public static (PumpedLink Dialing, PumpedLink Accepting) CreatePair()
    {
        var dialing = new PumpedLink();
        dialing._peer = new PumpedLink { _peer = dialing };
        return (dialing, dialing._peer);
    }

    public override void Start(ILinkHandler handler) => Volatile.Write(ref _handler, handler);

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        _peer!.Add(bytes);
        return bytes.Length;
    }

    public override void ShutdownSend()
    {
    }

    public override void Close() => Volatile.Write(ref _isClosed, true);

    /// <summary>Delivers what has arrived, in one batch. On the thread that pumps.</summary>
    /// <returns>False if nothing had arrived.</returns>
    public bool Deliver()
    {
        if (Volatile.Read(ref _handler) is not { } handler || _isClosed) return false;
        if (!_isConnected)
        {
            _isConnected = true;
            handler.OnConnected();
        }

        int count;
        lock (_gate)
        {
            (_arrived, _delivered) = (_delivered, _arrived);
            (count, _count) = (_count, 0);
        }

        if (count == 0) return false;
        long start = Stopwatch.GetTimestamp();
        int consumed = handler.OnReceived(_delivered.AsSpan(0, count));
        handler.OnBatchEnd();
        Busy += Stopwatch.GetTimestamp() - start;
        if (consumed != count) throw new EvidenceException($"{consumed} of {count} bytes were consumed: frames are sent whole here.");
        return true;
    }

    private void Add(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            bytes.CopyTo(_arrived.AsSpan(_count));
            _count += bytes.Length;
        }
    }
}
