using Mux.Execution;
using Mux.Transports;

namespace Mux.Endpoints;

/// <summary>Stands in for a link that the transport failed to create. Reports the failure when it is started.</summary>
internal sealed class FailedLink(Exception error) : Link
{
    public override string RemoteAddress => string.Empty;

    public override bool HasUndeliveredInput => false;

    public override void Start(ILinkHandler handler) => WorkQueue.OfProcess.Add(new Report(handler, error));

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
