using Mux.Transports;

namespace Seeds.Transports;

/// <summary>A link between the engine and the real one that does nothing: what is between is a subclass's.</summary>
internal abstract class DecoratedLink(Link inner) : Link, ILinkHandler
{
    public override string RemoteAddress => inner.RemoteAddress;

    public override ReadOnlyMemory<byte> ChannelBinding => inner.ChannelBinding;

    public override bool HasUndeliveredInput => inner.HasUndeliveredInput;

    protected ILinkHandler Handler { get; private set; } = null!;

    public override void Start(ILinkHandler handler)
    {
        Handler = handler;
        inner.Start(this);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => inner.Send(bytes);

    public override void ShutdownSend() => inner.ShutdownSend();

    public override void Close() => inner.Close();

    public void OnConnected() => Handler.OnConnected();

    public virtual int OnReceived(ReadOnlySpan<byte> bytes) => Handler.OnReceived(bytes);

    public void OnBatchEnd() => Handler.OnBatchEnd();

    public void OnWritable() => Handler.OnWritable();

    public void OnClosed(LinkCloseCause cause, Exception? error) => Handler.OnClosed(cause, error);
}
