using Mux.Transports;

namespace Mux.Channels;

/// <summary>Stands for a link that the transport could not even make: reports that when it is started.</summary>
internal sealed class FailedLink(Exception error) : Link
{
    public override string RemoteAddress => string.Empty;

    public override bool HasUndeliveredInput => false;

    public override void Start(ILinkHandler handler) =>
        ThreadPool.UnsafeQueueUserWorkItem(handler => handler.OnClosed(LinkCloseCause.ConnectFailed, error), handler, preferLocal: false);

    public override int Send(ReadOnlySpan<byte> bytes) => bytes.Length;

    public override void ShutdownSend()
    {
        // Nothing was ever sent.
    }

    public override void Close()
    {
        // It reports its end by itself.
    }
}
