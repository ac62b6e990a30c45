using Mux.Contracts;
using Mux.Discovery;
using Mux.Engine;

namespace Mux.Client;

/// <summary>Carries the calls of a channel to one address, over the connections of its pool. Safe for concurrent use.</summary>
internal sealed class ChannelRoute : DialingRoute, IPoolOwner, IOrderedRoute
{
    private readonly ConnectionPool _pool;
    private readonly LeastLoadedChoice _choice;
    private readonly KeyedChoice _keyed;
    private OrderedCalls? _ordered; // created by the first call that keeps an order
    private readonly MuxEndpoint _endpoint;
    private volatile ConnectionEnd? _failure; // of the last dial while no connection was open; null if one was open since

    public ChannelRoute(ChannelSettings settings)
        : base(settings, hasOthers: false)
    {
        _pool = new ConnectionPool(settings, Ledger, this);
        _choice = new LeastLoadedChoice(_pool);
        _keyed = new KeyedChoice(_pool);
        _endpoint = new MuxEndpoint(settings.Address!);
    }

    public override string EndpointOf(OutgoingCall? call) => _pool.Endpoint;

    public override IReadOnlyList<MuxEndpointStatus> GetEndpoints() =>
    [
        new MuxEndpointStatus(_endpoint)
        {
            IsOpen = _pool.IsOpen,
            IsEjected = false,
            Calls = _pool.Load,
            Connections = _pool.Slots.Count(static slot => slot.Current is not null),
            Failure = _failure?.Text,
        },
    ];

    public override async Task<OpeningFailure?> OpenAsync(CancellationToken cancellationToken) =>
        await _pool.OpenAllAsync(cancellationToken).ConfigureAwait(false) is { } end ? new OpeningFailure(_pool.Endpoint, end) : null;

    /// <summary>True: the server at this address may be a gateway, which receives the keys.</summary>
    public override bool UsesKeys => true;

    public override bool IsReached => _pool.IsOpen;

    public override void Dial() => _pool.DialFirstEmpty();

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (call.KeepsOrder)
        {
            StartInOrder(call, body);
            return;
        }

        var pause = default(SpinWait); // while another thread that ended a connection has not yet taken it out of its slot
        while (_choice.Pick(call) is { } connection)
        {
            if (connection.Initiator.TryStart(call, body)) return;
            pause.SpinOnce();
        }

        FailOutside(call, Disposed);
    }

    /// <inheritdoc/>
    public PooledConnection? Choose(OutgoingCall call) => _keyed.Pick(call.Key);

    public void OnOpened(PooledConnection pooled)
    {
        _failure = null;
        Events.Add(MuxEndpointChange.Opened, _endpoint);
        OnReached();
    }

    public void OnLeft(PooledConnection pooled, ConnectionEnd? end)
    {
        if (HoldsUnsent) _pool.DialFirstEmpty();
        if (_pool.IsOpen) return; // a dial in vain matters only while nothing else serves
        if (end is { Reason: not CloseReason.Disposed } && !pooled.IsOpen)
        {
            _failure = end;
            Events.Add(MuxEndpointChange.ConnectFailed, _endpoint, end.Text);
        }
        else
        {
            Events.Add(MuxEndpointChange.Closed, _endpoint, end?.Text ?? string.Empty);
        }
    }

    public bool TakesUnsentCalls => true;

    public void OnWithdrawn(OutgoingCall call) => StartAgain(call);

    /// <summary>
    /// A connection has ended before it sent a call: another one that is open sends it. While none is, it is held for a while, or fails with the end.
    /// </summary>
    public void OnUnsent(OutgoingCall call, CallFailure failure)
    {
        if (_pool.IsOpen) StartAgain(call);
        else HoldOrFail(call, failure);
    }

    public void OnContractDiffers(MethodDescriptor method, string messages) => OnContractDiffers(_pool.Endpoint, method, messages);

    protected override int HeldInOrder => _ordered?.Held ?? 0;

    protected override ValueTask DisposePoolsAsync()
    {
        EndOrder();
        return _pool.DisposeAsync();
    }

    protected override void DisposePools()
    {
        EndOrder();
        _pool.Dispose();
    }

    private void EndOrder() => UnsentCalls.FailAll(this, _ordered?.Close(), Disposed);

    /// <summary>Starts a call in its order. It never goes the way of other calls, which knows nothing of the place that it keeps.</summary>
    private void StartInOrder(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        var ordered = _ordered ?? OpenOrder();
        var pause = default(SpinWait); // while the channel ends: it holds no calls any longer, and its pool is disposed next
        while (!ordered.TryStart(call, body))
        {
            if (_pool.IsDisposed)
            {
                FailOutside(call, Disposed);
                return;
            }

            pause.SpinOnce();
        }
    }

    private OrderedCalls OpenOrder()
    {
        var ordered = new OrderedCalls(this, new HeldCalls(this, Settings.Connection.WaitingLimit));
        return Interlocked.CompareExchange(ref _ordered, ordered, null) ?? ordered;
    }
}

/// <summary>What <see cref="OrderedCalls"/> need of the route of their calls. Any thread.</summary>
internal interface IOrderedRoute
{
    /// <summary>Chooses the connection of a key of which no call is open. Null if there is none yet, or the route is over.</summary>
    PooledConnection? Choose(OutgoingCall call);

    /// <summary>Starts a call that was held, with its request in <see cref="OutgoingCall.Body"/> or its bulk message.</summary>
    void StartAgain(OutgoingCall call);
}
