using Microsoft.Extensions.Logging.Abstractions;
using Mux.Client;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Time;
using Mux.Transports;

namespace Mux.Core.Tests.Ordering;

/// <summary>Does for ordered calls what a channel does. The test plays the servers, and may do something while a call is on its way back from a connection.</summary>
internal sealed class PlayedRoute : IPoolOwner, IOrderedRoute, ITransport, IDisposable
{
    private readonly ChannelRoute _route; // of the calls that are held
    private readonly ConnectionPool _pool;
    private readonly List<TestLink> _links = [];
    private readonly List<PooledConnection> _connections = [];
    private int _restarts;

    /// <param name="maxCalls">Most calls that each server takes at a time; as many servers.</param>
    public PlayedRoute(params int[] maxCalls)
    {
        var address = MuxAddress.Parse("mux://memory:1");
        var options = new MuxChannelOptions
        {
            Transport = this,
            TimeProvider = Time,
            MinConnections = maxCalls.Length,
            MaxConnections = maxCalls.Length,
        };
        var settings = EngineSettings.Of(options, NullLoggerFactory.Instance, address);
        _route = new ChannelRoute(settings);
        _pool = new ConnectionPool(settings, new ConnectionLedger(), this);
        Sut = new OrderedCalls(this, new HeldCalls(_route, settings.Connection.WaitingLimit));
        for (int i = 0; i < maxCalls.Length; i++)
        {
            _connections.Add(_pool.DialIfEmpty(_pool.Slots[i])!);
            _links[i].Handler.OnConnected();
            _links[i].Deliver([.. Preface.Bytes, .. ScriptedPeer.Hello(PeerSettings.Default with { MaxCalls = maxCalls[i] })]);
        }
    }

    public ManualTime Time { get; } = new();

    public OrderedCalls Sut { get; }

    /// <summary>The connection for calls of keys of which none is open.</summary>
    public int Chosen { get; set; }

    /// <summary>How often a call that was held was started again.</summary>
    public int Restarts => Volatile.Read(ref _restarts);

    /// <summary>Runs when a connection has given back a call, before the order knows.</summary>
    public Action<OutgoingCall>? OnReturning { get; set; }

    /// <summary>False while calls that a connection gives back are kept from the order.</summary>
    public bool PassesOn { get; set; } = true;

    bool IPoolOwner.TakesUnsentCalls => true;

    public Connection ConnectionAt(int index) => _connections[index].Connection;

    public PooledConnection PooledAt(int index) => _connections[index];

    public PlayedCall Start(ulong key, bool isOneWay = false)
    {
        var call = new PlayedCall(key, isOneWay);
        Assert.True(Sut.TryStart(call, [1]));
        return call;
    }

    /// <summary>A server answers a call.</summary>
    public void Answer(PlayedCall call, int index) => _links[index].Deliver(ScriptedPeer.Frame(FrameKind.Response, call.Id, []));

    /// <summary>A connection is lost.</summary>
    public void Lose(int index) => _links[index].Handler.OnClosed(LinkCloseCause.Reset, null);

    /// <summary>A server begins to stop: its connection takes no more calls.</summary>
    public void Drain(int index)
    {
        byte[] frame = new byte[FrameWriter.MaxControlFrame];
        _links[index].Deliver(frame.AsSpan(0, FrameWriter.Write(frame, new GoAwayFrame(ConnectionCode.Draining, 0, string.Empty))));
    }

    /// <summary>True if a call has a slot on a connection.</summary>
    public bool IsSent(OutgoingCall call, int index) => call.Place == CallPlace.Open && call.Holder == ConnectionAt(index).Initiator;

    public PooledConnection? Choose(OutgoingCall call) => _connections[Chosen];

    public void StartAgain(OutgoingCall call)
    {
        Interlocked.Increment(ref _restarts);
        Restart(call);
    }

    public void OnWithdrawn(OutgoingCall call)
    {
        OnReturning?.Invoke(call);
        if (PassesOn) Return(call);
    }

    /// <summary>Does what a channel does with a call that a connection has given back.</summary>
    public void Return(OutgoingCall call)
    {
        call.GiveBack();
        Restart(call);
    }

    public void Dispose()
    {
        _pool.Dispose();
        _route.Dispose();
        foreach (var link in _links) link.Handler.OnClosed(LinkCloseCause.EndOfStream, null); // has no effect on a lost one
    }

    public Link CreateLink(MuxAddress address)
    {
        _links.Add(new TestLink());
        return _links[^1];
    }

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => throw new NotSupportedException();

    public void OnOpened(PooledConnection pooled)
    {
    }

    public void OnLeft(PooledConnection pooled, ConnectionEnd? end)
    {
    }

    public void OnUserCodeFailed(Exception error) => Assert.Fail(error.Message);

    public void OnContractDiffers(MethodDescriptor method, string messages)
    {
    }

    public void OnBlocked(Placement? code, bool refused)
    {
    }

    public void OnStalled(WorkStall stall)
    {
    }

    private void Restart(OutgoingCall call)
    {
        var body = call.Body;
        int length = call.BodyLength;
        call.Body = null;
        Assert.True(Sut.TryStart(call, body is null ? [] : body.AsSpan(0, length)));
        if (body is not null) BufferPool.Return(body);
    }
}
