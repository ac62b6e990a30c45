using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>Sends back what arrives, in one piece at the end of each batch. Allocates nothing. For less than 64 KiB at a time.</summary>
public sealed class EchoHandler(Link link) : ILinkHandler
{
    private readonly byte[] _bytes = new byte[65_536];
    private int _count;

    public void OnConnected()
    {
    }

    public int OnReceived(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_bytes.AsSpan(_count));
        _count += bytes.Length;
        return bytes.Length;
    }

    public void OnBatchEnd()
    {
        int accepted = link.Send(_bytes.AsSpan(0, _count));
        if (accepted < _count) link.Close(); // the peer did not wait for its echoes
        _count = 0;
    }

    public void OnWritable()
    {
    }

    public void OnClosed(LinkCloseCause cause, Exception? error)
    {
    }
}
