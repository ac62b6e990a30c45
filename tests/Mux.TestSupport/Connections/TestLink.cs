using Mux.Transports;

namespace Mux.TestSupport.Connections;

/// <summary>
/// A link whose far end is the test: what is sent is kept, what is delivered is what the test says, on its own thread. Accepts as many bytes as <see cref="Capacity"/> allows.
/// </summary>
public sealed class TestLink : Link
{
    private readonly Lock _gate = new();
    private readonly List<byte> _sent = [];
    private readonly List<byte> _tail = [];
    private bool _refused;

    public ILinkHandler Handler { get; private set; } = null!;

    /// <summary>Bytes accepted before Send begins to refuse.</summary>
    public long Capacity { get; set; } = long.MaxValue;

    public bool IsSendEnded { get; private set; }

    public bool IsClosed { get; private set; }

    /// <summary>Times Send was called with bytes.</summary>
    public int Sends { get; private set; }

    public bool UndeliveredInput { get; set; }

    /// <summary>Runs in <see cref="Close"/>: what another thread would do at that moment.</summary>
    public Action? Closing { get; set; }

    public override string RemoteAddress => "test";

    public override bool HasUndeliveredInput => UndeliveredInput;

    /// <summary>Everything accepted so far.</summary>
    public byte[] Sent
    {
        get
        {
            lock (_gate) return [.. _sent];
        }
    }

    public override void Start(ILinkHandler handler) => Handler = handler;

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            Assert.False(IsSendEnded, "Send after ShutdownSend.");
            Sends++;
            int accepted = (int)Math.Min(bytes.Length, Math.Max(0, Capacity - _sent.Count));
            _sent.AddRange(bytes[..accepted]);
            _refused |= accepted < bytes.Length;
            return accepted;
        }
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
        _tail.AddRange(bytes);
        int consumed = Handler.OnReceived(_tail.ToArray());
        Assert.InRange(consumed, 0, _tail.Count);
        _tail.RemoveRange(0, consumed);
        Assert.InRange(_tail.Count, 0, MaxUnconsumedBytes);
        if (endBatch) Handler.OnBatchEnd();
    }

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
}
