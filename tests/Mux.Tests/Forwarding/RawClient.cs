using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Tests.Forwarding;

/// <summary>A client played by a test: it sends what the test wants, grants no credit, and keeps what comes. Of a scene in memory.</summary>
internal sealed class RawClient : ILinkHandler, IDisposable
{
    private readonly Lock _gate = new(); // guards what is sent and what has come
    private readonly List<FailFrame> _failures = [];
    private readonly Link _link;
    private readonly Signal _connected = new("the connection of a raw client");
    private readonly List<byte> _unsent = []; // the link takes it when it has room
    private readonly PeerInput _input = new();

    private RawClient(Scene scene, MuxServer server)
    {
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        _link = scene.InMemory.CreateLink(server.Address); // no transport counts it: it is no connection of a channel
        _link.Start(this);
    }

    /// <summary>Terminal frames that have come.</summary>
    public Counter Answers { get; } = new("answers to a raw client");

    /// <summary>Replies among them.</summary>
    public Counter Replies { get; } = new("replies to a raw client");

    /// <summary>Set when the connection is over.</summary>
    public Signal Ended { get; } = new("the end of a raw client's connection");

    /// <summary>The reason that the peer gave for the end of the connection.</summary>
    public ConnectionCode? Reason { get; private set; }

    /// <summary>The failures that have come, in order.</summary>
    public IReadOnlyList<FailFrame> Failures
    {
        get
        {
            lock (_gate) return [.. _failures];
        }
    }

    public static async Task<RawClient> ConnectAsync(Scene scene, MuxServer server)
    {
        var client = new RawClient(scene, server);
        await client._connected.WaitAsync();
        return client;
    }

    /// <summary>Sends frames.</summary>
    public void Send(IEnumerable<byte[]> frames)
    {
        lock (_gate)
        {
            foreach (var frame in frames) _unsent.AddRange(frame);
            SendLocked();
        }
    }

    public static byte[] Define(int ordinal, string name, MethodShape shape = MethodShape.Unary) =>
        ScriptedPeer.Frame(FrameKind.Define, default, [(byte)ordinal, (byte)(ordinal >> 8), (byte)shape, .. Encoding.ASCII.GetBytes(name)]);

    public static byte[] Request(int slot, int generation, int ordinal, params ReadOnlySpan<byte> body) => Request(slot, generation, ordinal, RequestOptions.None, body);

    public static byte[] Request(int slot, int generation, int ordinal, RequestOptions options, params ReadOnlySpan<byte> body) =>
        ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, (uint)generation), [(byte)ordinal, (byte)(ordinal >> 8), (byte)options, (byte)((int)options >> 8), .. body]);

    public void Dispose() => _link.Close();

    public void OnConnected()
    {
        _link.Send((byte[])[.. Preface.Bytes, .. ScriptedPeer.Hello(new PeerSettings { StreamCredit = 64 })]);
        _connected.Set();
    }

    public int OnReceived(ReadOnlySpan<byte> bytes) => _input.Read(bytes, OnFrame);

    public void OnBatchEnd()
    {
        // Nothing is collected.
    }

    public void OnWritable()
    {
        lock (_gate) SendLocked();
    }

    public void OnClosed(LinkCloseCause cause, Exception? error)
    {
        lock (_gate) Ended.Set();
        _link.Close();
    }

    /// <summary>Sends what the link takes. It tells when it has room for the rest.</summary>
    private void SendLocked()
    {
        if (_unsent.Count > 0 && !Ended.IsSet) _unsent.RemoveRange(0, _link.Send(_unsent.ToArray()));
    }

    private void OnFrame(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Kind == FrameKind.GoAway && GoAwayFrame.TryRead(payload, out var end, out _)) Reason = end.Code;
        if (header.Kind == FrameKind.Response) Replies.Add();
        if (header.Kind == FrameKind.Fail)
        {
            Assert.True(FailFrame.TryRead(payload, out var failure, out _));
            lock (_gate) _failures.Add(failure);
        }

        if (header.Kind is FrameKind.Response or FrameKind.Fail) Answers.Add();
    }
}
