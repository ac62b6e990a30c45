using Mux.Runtime;
using Mux.Transports;

namespace Mux.Client;

/// <summary>Replaces a link that the transport failed to create. Reports the failure when it is started.</summary>
internal sealed class FailedLink : Link
{
    private readonly Exception _error;

    private FailedLink(Exception error) => _error = error;

    public override string RemoteAddress => string.Empty;

    public override bool HasUndeliveredInput => false;

    /// <summary>Creates the link of a channel. The call that needs it must not throw: it fails as if the transport had failed to connect.</summary>
    public static Link OrLinkOf(ChannelSettings settings)
    {
        try
        {
            return settings.Transport!.CreateLink(settings.Address!);
        }
        catch (Exception error)
        {
            return new FailedLink(error);
        }
    }

    public override void Start(ILinkHandler handler) => WorkQueue.OfProcess.Add(new Report(handler, _error));

    public override int Send(ReadOnlySpan<byte> bytes) => bytes.Length;

    public override void ShutdownSend()
    {
        // Nothing was ever sent.
    }

    public override void Close()
    {
        // It reports its end on its own.
    }

    private sealed class Report(ILinkHandler handler, Exception error) : IThreadPoolWorkItem
    {
        public void Execute() => handler.OnClosed(LinkCloseCause.ConnectFailed, error);
    }
}
