using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>A handler that breaks the promise not to throw, in one of its members.</summary>
internal sealed class ThrowingHandler(string member) : ILinkHandler
{
    private Link? _link;

    public Signal Closed { get; } = new("the end of the link whose handler throws");

    public LinkCloseCause Cause { get; private set; }

    public void Start(Link link)
    {
        _link = link;
        link.Start(this);
    }

    public void OnConnected()
    {
        Throw(nameof(OnConnected));
        if (member != nameof(OnWritable)) return;
        var piece = new byte[1_000_000];
        while (_link!.Send(piece) == piece.Length)
        {
        }
    }

    public int OnReceived(ReadOnlySpan<byte> bytes)
    {
        Throw(nameof(OnReceived));
        return bytes.Length;
    }

    public void OnBatchEnd() => Throw(nameof(OnBatchEnd));

    public void OnWritable() => Throw(nameof(OnWritable));

    public void OnClosed(LinkCloseCause cause, Exception? error)
    {
        Cause = cause;
        Closed.Set();
    }

    private void Throw(string where)
    {
        if (where == member) throw new InvalidOperationException("thrown by the test");
    }
}
