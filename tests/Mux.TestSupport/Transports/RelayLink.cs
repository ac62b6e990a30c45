using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>Passes everything on, both ways, but for what a derived link does otherwise.</summary>
internal abstract class RelayLink(Link inner) : Link, ILinkHandler
{
    private ILinkHandler? _handler;

    public override string RemoteAddress => inner.RemoteAddress;

    public override ReadOnlyMemory<byte> ChannelBinding => inner.ChannelBinding;

    public override bool HasUndeliveredInput => inner.HasUndeliveredInput;

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        inner.Start(this);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => inner.Send(bytes);

    public override void ShutdownSend() => inner.ShutdownSend();

    public override void Close() => inner.Close();

    public void OnConnected() => _handler!.OnConnected();

    public virtual int OnReceived(ReadOnlySpan<byte> bytes) => _handler!.OnReceived(bytes);

    public void OnBatchEnd() => _handler!.OnBatchEnd();

    public void OnWritable() => _handler!.OnWritable();

    public virtual void OnClosed(LinkCloseCause cause, Exception? error) => _handler!.OnClosed(cause, error);
}
