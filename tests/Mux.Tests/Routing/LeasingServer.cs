using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Tests.Routing;

/// <summary>A server that tells one LEASE, answers nothing, and counts the requests that come.</summary>
internal sealed class LeasingServer(Link link, LeaseFrame lease, Counter requests) : ILinkHandler
{
    private readonly List<byte> _received = [];
    private bool _hasPreface;

    public void OnConnected()
    {
        link.Send((byte[])[.. Preface.Bytes, .. ScriptedPeer.Hello(new PeerSettings())]);
        var payload = new byte[LeaseFrame.Length];
        lease.Write(payload);
        link.Send(ScriptedPeer.Frame(FrameKind.Lease, default, payload));
    }

    /// <summary>Ends the connection.</summary>
    public void End() => link.ShutdownSend();

    public int OnReceived(ReadOnlySpan<byte> bytes)
    {
        _received.AddRange(bytes);
        if (!_hasPreface && _received.Count >= Preface.Size)
        {
            _received.RemoveRange(0, Preface.Size);
            _hasPreface = true;
        }

        while (_hasPreface && _received.Count >= FrameHeader.Size)
        {
            var header = FrameHeader.Read(_received.GetRange(0, FrameHeader.Size).ToArray());
            if (_received.Count < FrameHeader.Size + header.Length) break;
            _received.RemoveRange(0, FrameHeader.Size + header.Length);
            if (header.Kind == FrameKind.Request) requests.Add();
            if (header.Kind == FrameKind.GoAway) link.ShutdownSend(); // it waits for nothing
        }

        return bytes.Length;
    }

    public void OnBatchEnd()
    {
        // Nothing is collected.
    }

    public void OnWritable()
    {
        // All was accepted.
    }

    public void OnClosed(LinkCloseCause cause, Exception? error) => link.Close();
}
