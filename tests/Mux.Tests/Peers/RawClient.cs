using System.Collections.Concurrent;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Tests.Peers;

/// <summary>A client played by a test: it sees the raw requests of a server, and answers them as the test says, or not at all.</summary>
internal sealed class RawClient : ILinkHandler, IDisposable
{
    private readonly Lock _sending = new();
    private readonly PeerInput _input = new();
    private readonly Action<RawClient, CallId> _answer;
    private readonly PeerSettings _settings;
    private readonly Link _link;
    private readonly Counter _pongs = new("answers to PINGs");
    private int _pings;

    /// <param name="scene">Its transport carries the bytes.</param>
    /// <param name="server">Where it connects.</param>
    /// <param name="answer">Runs for each request, in the thread that delivers it.</param>
    /// <param name="settings">What it says of itself.</param>
    public RawClient(Scene scene, MuxAddress server, Action<RawClient, CallId> answer, PeerSettings? settings = null)
    {
        _settings = settings ?? new PeerSettings { MaxCalls = 16 };
        _answer = answer;
        _link = scene.Transport.CreateLink(server);
        scene.DialsElsewhere--; // no channel ends this one
        _link.Start(this);
    }

    /// <summary>What the requests carry, in order.</summary>
    public ConcurrentQueue<byte[]> Requests { get; } = [];

    public Counter Arrived { get; } = new("requests of the server");

    public Signal Ended { get; } = new("the end of the connection");

    /// <summary>The code of the server's GOAWAY, if it has sent one.</summary>
    public ConnectionCode? Code { get; private set; }

    public void Send(byte[] bytes)
    {
        lock (_sending) _link.Send(bytes);
    }

    public void Respond(CallId id, params byte[] body) => Send(ScriptedPeer.Frame(FrameKind.Response, id, body));

    /// <summary>Waits until the server has done what was sent before.</summary>
    public Task SettleAsync()
    {
        Send(ScriptedPeer.Frame(FrameKind.Ping, default, new byte[PingFrame.Length]));
        return _pongs.ReachAsync(++_pings);
    }

    public void Dispose() => _link.Close();

    public void OnConnected() => Send([.. Preface.Bytes, .. ScriptedPeer.Hello(_settings)]);

    public int OnReceived(ReadOnlySpan<byte> bytes) => _input.Read(bytes, OnFrame);

    public void OnBatchEnd()
    {
        // Answers leave at once.
    }

    public void OnWritable()
    {
        // All was accepted.
    }

    public void OnClosed(LinkCloseCause cause, Exception? error)
    {
        _link.Close();
        Ended.Set();
    }

    private void OnFrame(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Kind == FrameKind.GoAway && header.Flags == FrameFlags.None) Code = (ConnectionCode)payload[0];
        if (header.Kind == FrameKind.Ping && header.Flags == FrameFlags.Answer) _pongs.Add();
        if (header.Kind != FrameKind.Request) return;
        Requests.Enqueue(payload.ToArray());
        _answer(this, header.Id);
        Arrived.Add();
    }
}
