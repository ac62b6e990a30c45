using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A server played by a test, for any number of connections: it sees raw requests, and answers each as the test says, or not at all.</summary>
internal sealed class RawServer : IDisposable
{
    private readonly Lock _gate = new();
    private readonly List<RawRequest> _requests = [];
    private readonly List<CancelReason> _cancels = [];
    private readonly List<(CallId, byte[])> _items = [];
    private readonly Action<RawRequest> _answer;
    private readonly PeerSettings _settings;
    private readonly ITransportListener _listener;

    /// <param name="scene">Its transport carries the bytes.</param>
    /// <param name="answer">Runs for each whole request, in the thread that delivers it.</param>
    /// <param name="settings">What it says of itself; by default it reads much at once.</param>
    public RawServer(Scene scene, Action<RawRequest> answer, PeerSettings? settings = null)
    {
        _settings = settings ?? new PeerSettings { BulkCredit = 1 << 24 };
        _answer = answer;
        _listener = scene.Transport.Listen(scene.FreeAddress(), link => link.Start(new Connection(this, link)));
    }

    public MuxAddress Address => _listener.Address;

    /// <summary>Requests that have come.</summary>
    public Counter Arrived { get; } = new("requests");

    /// <summary>Items of request streams that have come.</summary>
    public Counter ItemsArrived { get; } = new("items of requests");

    /// <summary>All items so far, in order; those in fragments are left out.</summary>
    public IReadOnlyList<(CallId Id, byte[] Body)> Items
    {
        get
        {
            lock (_gate) return [.. _items];
        }
    }

    /// <summary>Cancels that have come.</summary>
    public Counter Cancelled { get; } = new("cancels");

    /// <summary>All requests so far, in order.</summary>
    public IReadOnlyList<RawRequest> Requests
    {
        get
        {
            lock (_gate) return [.. _requests];
        }
    }

    public IReadOnlyList<CancelReason> Cancels
    {
        get
        {
            lock (_gate) return [.. _cancels];
        }
    }

    public void Dispose() => _listener.Dispose();

    private void OnRequest(Connection connection, CallId id, RequestOptions options, byte[] body)
    {
        RawRequest request;
        lock (_gate) _requests.Add(request = new RawRequest(connection.Send, connection.Lose, id, options, body, _requests.Count + 1));
        _answer(request);
        Arrived.Add();
    }

    private void OnItem(CallId id, byte[] body)
    {
        lock (_gate) _items.Add((id, body));
        ItemsArrived.Add();
    }

    private void OnCancel(CancelReason reason)
    {
        lock (_gate) _cancels.Add(reason);
        Cancelled.Add();
    }

    private sealed class Connection(RawServer server, Link link) : ILinkHandler
    {
        private readonly Lock _sending = new(); // a test may answer from its own thread
        private readonly Dictionary<CallId, (RequestOptions Options, List<byte> Body)> _begun = [];
        private readonly PeerInput _input = new();

        public void Send(byte[] bytes)
        {
            lock (_sending) link.Send(bytes);
        }

        public void Lose() => link.Close();

        public void OnConnected() => Send([.. Preface.Bytes, .. ScriptedPeer.Hello(server._settings)]);

        public int OnReceived(ReadOnlySpan<byte> bytes) => _input.Read(bytes, OnFrame);

        public void OnBatchEnd()
        {
            // Answers leave at once.
        }

        public void OnWritable()
        {
            // All was accepted.
        }

        public void OnClosed(LinkCloseCause cause, Exception? error) => link.Close();

        private void OnFrame(FrameHeader header, ReadOnlySpan<byte> payload)
        {
            if (header.Kind == FrameKind.Request) OnRequest(header, payload);
            if (header is { Kind: FrameKind.RequestItem, Flags: FrameFlags.None }) server.OnItem(header.Id, payload.ToArray());
            if (header.Kind == FrameKind.Cancel && CancelFrame.TryRead(payload, out var reason, out _)) server.OnCancel(reason);
            if (header.Kind == FrameKind.GoAway) Send(ScriptedPeer.Frame(FrameKind.GoAway, default, [], FrameFlags.Answer));
        }

        private void OnRequest(FrameHeader header, ReadOnlySpan<byte> payload)
        {
            bool isMore = (header.Flags & FrameFlags.More) != 0;
            if (!_begun.Remove(header.Id, out var request))
            {
                Assert.True(RequestHead.TryRead(payload, out var head, out _));
                request = (head.Options, []);
                payload = payload[(head.Length + (isMore ? FragmentHead.Length : 0))..];
            }

            request.Body.AddRange(payload);
            if (isMore) _begun.Add(header.Id, request);
            else server.OnRequest(this, header.Id, request.Options, [.. request.Body]);
        }
    }
}
