using System.Runtime.InteropServices;
using Mux.Transports;

namespace Mux.TestSupport.Connections;

/// <summary>
/// A link whose far end is the test: what is sent is kept, what is delivered is what the test says, on its own thread. Accepts as many bytes as <see cref="Capacity"/> allows.
/// Its memory is there from the start, so that a test can see what the connection allocates.
/// </summary>
public sealed class TestLink : Link
{
    private readonly Lock _gate = new();
    private readonly List<byte> _sent = new(8 * 1024);
    private readonly byte[] _tail = new byte[MaxUnconsumedBytes + 1];
    private int _tailLength;
    private bool _refused;

    public ILinkHandler Handler { get; private set; } = null!;

    /// <summary>Bytes accepted before Send begins to refuse.</summary>
    public long Capacity { get; set; } = long.MaxValue;

    /// <summary>False for a test that reads nothing of what is sent and sends very much: it would grow the list again and again. There is no limit of <see cref="Capacity"/> then.</summary>
    public bool KeepsSent { get; set; } = true;

    public bool IsSendEnded { get; private set; }

    public bool IsClosed { get; private set; }

    /// <summary>Times Send was called with bytes.</summary>
    public int Sends { get; private set; }

    /// <summary>Runs inside Send, when the bytes are accepted and the sender does not know it yet.</summary>
    public Action? OnSend { get; set; }

    public bool UndeliveredInput { get; set; }

    /// <summary>Runs in <see cref="Close"/>: what another thread would do at that moment.</summary>
    public Action? Closing { get; set; }

    /// <summary>Delivered and not consumed.</summary>
    public int UnconsumedBytes => _tailLength;

    public override string RemoteAddress => "test";

    public override bool HasUndeliveredInput => UndeliveredInput;

    /// <summary>Whether a send has failed.</summary>
    public bool HasFailed { get; set; }

    public override bool DropsOutput => HasFailed;

    /// <summary>Whether the link says that another thread could continue a delivery. No test makes one continue.</summary>
    public bool HandsOver { get; set; }

    public override bool CanHandOver => HandsOver;

    /// <summary>Who the link says the peer is.</summary>
    public PeerIdentity? KnownPeer { get; set; }

    public override PeerIdentity? Identity => KnownPeer;

    /// <summary>Everything accepted so far.</summary>
    public byte[] Sent
    {
        get
        {
            lock (_gate) return [.. _sent];
        }
    }

    /// <summary>How much was accepted so far.</summary>
    public int SentBytes
    {
        get
        {
            lock (_gate) return _sent.Count;
        }
    }

    /// <summary>A piece of what was accepted.</summary>
    public byte[] SentAt(int position, int count)
    {
        lock (_gate) return [.. CollectionsMarshal.AsSpan(_sent).Slice(position, count)];
    }

    public override void Start(ILinkHandler handler) => Handler = handler;

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        int accepted;
        lock (_gate)
        {
            Assert.False(IsSendEnded, "Send after ShutdownSend.");
            Sends++;
            accepted = (int)Math.Min(bytes.Length, Math.Max(0, Capacity - _sent.Count));
            if (KeepsSent) _sent.AddRange(bytes[..accepted]);
            _refused |= accepted < bytes.Length;
        }

        OnSend?.Invoke();
        return accepted;
    }

    public override void ShutdownSend()
    {
        Assert.False(IsSendEnded, "ShutdownSend twice.");
        IsSendEnded = true;
    }

    public override void Close()
    {
        IsClosed = true;
        Closing?.Invoke();
    }

    /// <summary>Delivers bytes behind what was not consumed, as one batch.</summary>
    public void Deliver(ReadOnlySpan<byte> bytes, bool endBatch = true)
    {
        do
        {
            bytes = DeliverPiece(bytes);
        }
        while (!bytes.IsEmpty);

        if (endBatch) Handler.OnBatchEnd();
    }

    /// <summary>Ends a batch whose deliveries did not.</summary>
    public void EndBatch() => Handler.OnBatchEnd();

    /// <summary>Accepts more, and says so if bytes were refused.</summary>
    public void Grow(long capacity)
    {
        bool notify;
        lock (_gate)
        {
            Capacity = capacity;
            notify = _refused;
            _refused = false;
        }

        if (notify) Handler.OnWritable();
    }

    /// <summary>One call of the handler, with as much as fits into one piece behind the tail.</summary>
    /// <returns>What is left to deliver.</returns>
    private ReadOnlySpan<byte> DeliverPiece(ReadOnlySpan<byte> bytes)
    {
        int count = _tailLength == 0 ? bytes.Length : Math.Min(bytes.Length, _tail.Length - _tailLength);
        var piece = bytes[..count];
        if (_tailLength > 0)
        {
            piece.CopyTo(_tail.AsSpan(_tailLength));
            piece = _tail.AsSpan(0, _tailLength + count);
        }

        int consumed = Handler.OnReceived(piece);
        if ((uint)consumed > (uint)piece.Length) Assert.Fail($"{consumed} of {piece.Length} bytes were consumed.");
        var rest = piece[consumed..];
        if (rest.Length > MaxUnconsumedBytes) Assert.Fail($"{rest.Length} bytes were left unconsumed.");
        rest.CopyTo(_tail);
        _tailLength = rest.Length;
        return bytes[count..];
    }
}
