using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A link that never comes up, nor fails by itself.</summary>
internal sealed class UnansweredLink : Link
{
    private readonly Lock _gate = new();
    private ILinkHandler? _handler;
    private bool _closed;
    private bool _reported;

    public override string RemoteAddress => string.Empty;

    public override bool HasUndeliveredInput => false;

    public override void Start(ILinkHandler handler)
    {
        lock (_gate) _handler = handler;
        ReportIfOver();
    }

    public override int Send(ReadOnlySpan<byte> bytes) => bytes.Length;

    public override void ShutdownSend()
    {
        // Nothing was sent.
    }

    public override void Close()
    {
        lock (_gate) _closed = true;
        ReportIfOver();
    }

    private void ReportIfOver()
    {
        lock (_gate)
        {
            if (_handler is null || !_closed || _reported) return;
            _reported = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static link => link._handler!.OnClosed(LinkCloseCause.Closed, null), this, preferLocal: false);
    }
}
