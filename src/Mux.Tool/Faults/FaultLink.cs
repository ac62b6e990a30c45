using System.Runtime.InteropServices;
using Mux.Transports;

namespace Mux.Tool.Faults;

/// <summary>
/// An accepted link between the engine and the real link. Accepts everything while it holds nothing back. Bytes that the real link does not accept wait here,
/// and meanwhile nothing more is accepted.
/// </summary>
internal sealed class FaultLink(Link inner, FaultPlan plan) : Link, ILinkHandler
{
    private readonly Lock _gate = new(); // guards the fields below and sends on the inner link: OnWritable may overlap with Send
    private readonly ResponseFaults _faults = new(plan);
    private readonly List<byte> _unsent = [];
    private bool _writableOwed;
    private bool _shutdownOwed;
    private ILinkHandler? _handler;

    public override string RemoteAddress => inner.RemoteAddress;

    public override ReadOnlyMemory<byte> ChannelBinding => inner.ChannelBinding;

    public override bool DropsOutput => inner.DropsOutput;

    public override bool HasUndeliveredInput => inner.HasUndeliveredInput;

    public override bool CanHandOver => inner.CanHandOver;

    public override bool TryJoinBatch() => inner.TryJoinBatch();

    public override void EndJoinedBatches() => inner.EndJoinedBatches();

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        inner.Start(this);
    }

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            _writableOwed = _unsent.Count > 0;
            if (_writableOwed) return 0;
            _faults.Pass(bytes, _unsent);
            SendLocked();
            return bytes.Length;
        }
    }

    public override void ShutdownSend()
    {
        lock (_gate)
        {
            _shutdownOwed = true;
            SendLocked();
        }
    }

    public override void HandOver(int consumed) => inner.HandOver(consumed);

    public override void Close() => inner.Close();

    void ILinkHandler.OnConnected() => _handler!.OnConnected();

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes) => _handler!.OnReceived(bytes);

    void ILinkHandler.OnBatchEnd() => _handler!.OnBatchEnd();

    void ILinkHandler.OnWritable()
    {
        bool isWritable;
        lock (_gate)
        {
            SendLocked();
            isWritable = _writableOwed && _unsent.Count == 0;
            if (isWritable) _writableOwed = false;
        }

        if (isWritable) _handler!.OnWritable();
    }

    void ILinkHandler.OnClosed(LinkCloseCause cause, Exception? error) => _handler!.OnClosed(cause, error);

    private void SendLocked()
    {
        if (_unsent.Count > 0) _unsent.RemoveRange(0, inner.Send(CollectionsMarshal.AsSpan(_unsent)));
        if (!_shutdownOwed || _unsent.Count > 0) return;
        _shutdownOwed = false;
        inner.ShutdownSend();
    }
}
