using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A link of a <see cref="StallingTransport"/>.</summary>
internal sealed class StallingLink(Link inner, ManualResetEventSlim gate) : Link, ILinkHandler
{
    private ILinkHandler? _handler;

    public override string RemoteAddress => inner.RemoteAddress;

    public override bool HasUndeliveredInput => inner.HasUndeliveredInput;

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        inner.Start(this);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => inner.Send(bytes);

    public override void ShutdownSend() => inner.ShutdownSend();

    public override void Close() => inner.Close();

    void ILinkHandler.OnConnected() => _handler!.OnConnected();

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes)
    {
        gate.Wait();
        return _handler!.OnReceived(bytes);
    }

    void ILinkHandler.OnBatchEnd() => _handler!.OnBatchEnd();

    void ILinkHandler.OnWritable() => _handler!.OnWritable();

    void ILinkHandler.OnClosed(LinkCloseCause cause, Exception? error) => _handler!.OnClosed(cause, error);
}
