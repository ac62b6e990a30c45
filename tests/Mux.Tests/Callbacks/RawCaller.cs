using Mux.Contracts;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>A client played by a test, that makes calls of one method with a callback and answers as the test says.</summary>
internal sealed class RawCaller : ILinkHandler, IDisposable
{
    private readonly Lock _gate = new();
    private readonly PeerInput _input = new();
    private readonly Link _link;
    private readonly List<byte[]> _items = [];
    private readonly Signal _connected = new("the connection of the raw client");
    private readonly string _method;
    private readonly PeerSettings _settings;
    private uint _generation;

    /// <param name="scene">Its transport carries the bytes.</param>
    /// <param name="server">Where it connects.</param>
    /// <param name="method">The method that it calls.</param>
    /// <param name="settings">What it says of itself.</param>
    public RawCaller(Scene scene, MuxAddress server, string method, PeerSettings? settings = null)
    {
        (_method, _settings) = (method, settings ?? new PeerSettings());
        _link = scene.Transport.CreateLink(server);
        scene.DialsElsewhere--; // no channel ends this one
        _link.Start(this);
    }

    /// <summary>Items of response streams that have come.</summary>
    public Counter ItemsArrived { get; } = new("items of responses");

    /// <summary>Calls that have ended.</summary>
    public Counter Ends { get; } = new("ends of calls");

    public Signal Closed { get; } = new("the end of the connection");

    /// <summary>The status with which the last call ended.</summary>
    public MuxStatus Status { get; private set; }

    /// <summary>All items so far, in order.</summary>
    public IReadOnlyList<byte[]> Items
    {
        get
        {
            lock (_gate) return [.. _items];
        }
    }

    private CallId Id => new(1, _generation);

    /// <summary>Makes the next call.</summary>
    public async Task CallAsync(params byte[] body)
    {
        await _connected.WaitAsync();
        _generation++;
        Send(ScriptedPeer.Frame(FrameKind.Request, Id, [0, 0, 8, 0, .. body]));
    }

    public void SendItem(params byte[] body) => Send(ScriptedPeer.Frame(FrameKind.RequestItem, Id, body));

    public void End() => Send(ScriptedPeer.Frame(FrameKind.RequestEnd, Id, []));

    public void Dispose() => _link.Close();

    public void OnConnected()
    {
        Send([.. Preface.Bytes, .. ScriptedPeer.Hello(_settings)]);
        Send(ScriptedPeer.Frame(FrameKind.Define, default, [0, 0, (byte)MethodShape.Duplex, .. System.Text.Encoding.ASCII.GetBytes(_method)]));
        _connected.Set();
    }

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
        Closed.Set();
    }

    private void Send(byte[] bytes)
    {
        lock (_gate) _link.Send(bytes);
    }

    private void OnFrame(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        switch (header.Kind)
        {
            case FrameKind.ResponseItem:
                lock (_gate) _items.Add(payload.ToArray());
                ItemsArrived.Add();
                break;
            case FrameKind.Response or FrameKind.Fail:
                Status = header.Kind == FrameKind.Fail ? (MuxStatus)payload[0] : MuxStatus.Ok;
                Ends.Add();
                break;
        }
    }
}
