using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A link of a <see cref="WatchedTransport"/>.</summary>
internal sealed class WatchedLink(WatchedTransport owner, Link inner) : Link
{
    public override string RemoteAddress => inner.RemoteAddress;

    public override ReadOnlyMemory<byte> ChannelBinding => inner.ChannelBinding;

    public override bool HasUndeliveredInput => inner.HasUndeliveredInput;

    public override void Start(ILinkHandler handler) => inner.Start(handler);

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        owner.See(bytes);
        return inner.Send(bytes);
    }

    public override void ShutdownSend() => inner.ShutdownSend();

    public override void Close() => inner.Close();
}
