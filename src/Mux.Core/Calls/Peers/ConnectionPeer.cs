using System.Diagnostics;
using System.Security.Claims;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>A connection as user code sees it. Made when it is first asked for; its parts, when they are. Safe for concurrent use.</summary>
[System.Diagnostics.CodeAnalysis.SuppressMessage("Design", "CA1001", Justification = "A source without a timer or wait handle holds nothing to dispose, and " +
    "its token may be used at any time.")]
internal sealed class ConnectionPeer(Connection connection, PeerEnvironment environment) : MuxPeer, IThreadPoolWorkItem
{
    private static readonly CancellationToken s_closed = new(canceled: true);

    private readonly Lock _gate = new(); // guards the fields below
    private PeerCalls? _calls;
    private (Type Contract, object Proxy)[] _proxies = []; // replaced under the lock: a peer has few, and each is searched for at each call
    private CancellationTokenSource? _closing;
    private Task? _cancelling; // the callbacks of its token
    private PeerStates? _states;
    private IPeerWatch? _watch; // set once
    private bool _hasEnded; // the owner knows of the end
    private string _reason = string.Empty; // of the end
    private Greeting? _greeting; // set once, if anything learns of connections

    public override string Id { get; } = PeerEnvironment.NextId();

    public override string Address => connection.RemoteAddress;

    public override ClaimsPrincipal? User => connection.Access?.User;

    public override bool IsLocal => PeerHost.IsOfThisMachine(connection.RemoteAddress);

    public override CancellationToken Closed
    {
        get
        {
            lock (_gate) return HasEndedLocked && _closing is null ? s_closed : (_closing ??= new()).Token;
        }
    }

    /// <summary>True if the authorization of this side lets the peer call a method of it, at this moment.</summary>
    public bool MayCall(MethodDescriptor method) => connection.MayCall(method);

    /// <summary>True if the authorization of this side lets the peer forward a call of a method for a caller, at this moment.</summary>
    public bool MayForward(MethodDescriptor method, ClaimsPrincipal? caller) => connection.MayForward(method, caller);

    /// <summary>True if this side believes what the peer says of the callers of what it forwards.</summary>
    public bool IsGateway => connection.Access is { IsGateway: true };

    /// <summary>The connection.</summary>
    public Connection Connection => connection;

    /// <summary>What its server or channel has in common with other peers.</summary>
    public PeerEnvironment Environment => environment;

    /// <summary>Has the calls that wait, and is told of the end; null if none ever did, and the peer was in no group.</summary>
    public IPeerWatch? Watch => Volatile.Read(ref _watch);

    /// <summary>What carries calls to the peer, also such as are encoded already.</summary>
    public PeerCalls Calls => LazyInitializer.EnsureInitialized(ref _calls, () => new PeerCalls(this, environment));

    private bool HasEndedLocked => _hasEnded || connection.HasEnded;

    /// <summary>Has the end told. A peer whose connection has ended by then may never tell it.</summary>
    /// <returns>The watch that is told: the first that asked for it.</returns>
    public IPeerWatch WatchWith(IPeerWatch watch) => Interlocked.CompareExchange(ref _watch, watch, null) ?? watch;

    public override TState State<TState>(Func<TState> create)
    {
        ArgumentNullException.ThrowIfNull(create);
        PeerStates states;
        lock (_gate)
        {
            if (HasEndedLocked) throw PeerStates.Gone();
            states = _states ??= new PeerStates(new Farewell(connection));
        }

        return states.Get(create);
    }

    protected override TService GetProxy<TService>()
    {
        foreach (var (contract, proxy) in Volatile.Read(ref _proxies))
        {
            if (contract == typeof(TService)) return (TService)proxy;
        }

        var made = ServiceContract<TService>.Get().CreateProxy(environment.InvokerOf(Calls, Address));
        lock (_gate)
        {
            if (Array.Find(_proxies, known => known.Contract == typeof(TService)).Proxy is TService first) return first;
            Volatile.Write(ref _proxies, [.. _proxies, (typeof(TService), made)]);
            return made;
        }
    }

    /// <summary>The connection has opened: tells those that learn of connections. Called once, by its owner.</summary>
    public void OnOpened()
    {
        Greeting greeting;
        lock (_gate)
        {
            if (HasEndedLocked) return; // its end was told, or is told without this
            _greeting = greeting = new Greeting(this);
        }

        connection.Options.Work.AddUserCode(greeting);
    }

    /// <summary>The connection has ended, and every call is decided. Called once, by its owner.</summary>
    /// <param name="reason">Why it has ended.</param>
    public void OnEnded(string reason)
    {
        Watch?.OnEnded();
        lock (_gate)
        {
            Debug.Assert(!_hasEnded);
            _hasEnded = true;
            _reason = reason;
            if (_closing is null && _states is null && _greeting is null) return;
        }

        _cancelling = _closing?.CancelAsync(); // its token says so at once; callbacks run on the .NET pool
        connection.Options.Work.AddUserCode(this);
    }

    void IThreadPoolWorkItem.Execute() => _ = EndAsync();

    private async Task EndAsync()
    {
        var farewell = new Farewell(connection);
        if (_cancelling is { } cancelling) await farewell.WaitAsync(cancelling, "A callback of MuxPeer.Closed").ConfigureAwait(false);
        if (_greeting is { } greeting) await greeting.EndAsync(farewell, _reason).ConfigureAwait(false);
        if (_states is { } states) await states.EndAsync().ConfigureAwait(false);
    }

    /// <summary>Tells those that learn of connections of this one, and of its end to those that were told.</summary>
    private sealed class Greeting(ConnectionPeer peer) : IThreadPoolWorkItem
    {
        private readonly TaskCompletionSource _isOver = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private volatile int _told; // how many methods have begun

        public void Execute() => _ = RunAsync();

        /// <summary>The connection has ended, and its token is cancelled.</summary>
        /// <param name="farewell">Runs what is told of the end.</param>
        /// <param name="reason">Why it has ended.</param>
        public async Task EndAsync(Farewell farewell, string reason)
        {
            bool isOver = _isOver.Task.IsCompleted || await farewell.WaitAsync(_isOver.Task, $"{NameOf(_told - 1)}.OnConnectedAsync").ConfigureAwait(false);
            int told = isOver ? _told : _told - 1; // the one that has not returned is told when it has: it may have something to undo
            if (!isOver) _ = EndLateAsync(farewell, reason, told);
            await TellAsync(farewell, reason, told, 0).ConfigureAwait(false);
        }

        private void Refuse(PeerHook hook, Exception error) =>
            hook.Refuse(peer.Connection, error, peer.Environment.Logger, peer.Environment.DetailedErrors);

        private string NameOf(int number) => peer.Environment.Hooks[Math.Max(0, number)].Name;

        private async Task EndLateAsync(Farewell farewell, string reason, int toldBefore)
        {
            await _isOver.Task.ConfigureAwait(false);
            await TellAsync(farewell, reason, _told, toldBefore).ConfigureAwait(false);
        }

        private async Task TellAsync(Farewell farewell, string reason, int from, int to)
        {
            for (int number = from - 1; number >= to; number--)
            {
                var events = peer.Environment.Hooks[number].Events;
                await farewell.RunAsync(() => events.OnDisconnectedAsync(peer, reason), $"{NameOf(number)}.OnDisconnectedAsync").ConfigureAwait(false);
            }
        }

        private async Task RunAsync()
        {
            foreach (var hook in peer.Environment.Hooks)
            {
                if (peer.Connection.HasEnded) break;
                _told++;
                try
                {
                    await hook.Events.OnConnectedAsync(peer, peer.Closed).ConfigureAwait(false);
                }
                catch (Exception error)
                {
                    if (!peer.Connection.HasEnded) Refuse(hook, error);
                    break;
                }
            }

            _isOver.TrySetResult();
        }
    }
}

/// <summary>
/// Carries calls over one connection, to the side at its other end. Those that find no room there wait with the calls of the peer's groups, in the order in
/// which they were made. Nothing is sent again. Safe for concurrent use.
/// </summary>
internal sealed class PeerCalls(ConnectionPeer peer, PeerEnvironment environment) : CallRoute(environment.Calls, environment.Ledger), IBoundCalls
{
    private readonly Connection _connection = peer.Connection;

    IRoomWatch IBoundCalls.Room => Waiting;

    private IPeerWatch Waiting => peer.Watch ?? environment.WatchOf(peer);

    public override string EndpointOf(OutgoingCall? call) => _connection.PeerPlace;

    public override void Register(MethodDescriptor method) => environment.Register(method);

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        call.Bound = this;
        if (peer.Watch is { HasWaiting: true } waiting) waiting.Add(call, this, body);
        else if (!_connection.Initiator.TryStart(call, body)) OnUnsent(call, failure: null);
    }

    void IBoundCalls.OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body) => Waiting.Add(call, this, body);

    public void OnUnsent(OutgoingCall call, CallFailure? failure) => Fail(call, failure ?? Refusal());

    public override void OnUserCodeFailed(Exception error) => _connection.Owner.OnUserCodeFailed(_connection, error);

    public override void OnCallbackFailed(MethodDescriptor method, string callback, Exception error) =>
        _connection.Owner.OnCallbackFailed(_connection, method, callback, error);

    public override void OnStalled(WorkStall stall) => _connection.Owner.OnStalled(stall);

    /// <summary>Fails a call that no connection has.</summary>
    public void Fail(OutgoingCall call, CallFailure failure)
    {
        Ledger.CountOutside(call.Method, failure.Status);
        CallHolder.Fail(call, failure);
    }

    private CallFailure Refusal() => new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, _connection switch
    {
        { Life.End: { } end } => $"The connection to the peer has ended: {end.Text}",
        { Drain.IsPeer: true } => "The peer drains its connection and takes no more calls.",
        { Drain.IsLocal: true } => "This side drains the connection, and no call of the peer is open, for which it would still make calls.",
        _ => "The connection to the peer is ending.",
    });
}

/// <summary>The objects that belong to one connection, one of each type. Safe for concurrent use.</summary>
/// <param name="farewell">Runs the disposals: no caller awaits them.</param>
internal sealed class PeerStates(Farewell farewell)
{
    private readonly Lock _gate = new(); // guards the list and the end; user code runs outside it
    private readonly List<Slot> _slots = []; // in order of creation; few, so a search is as fast as a table
    private bool _hasEnded;

    /// <summary>The failure of those that ask for an object after the end.</summary>
    public static MuxException Gone() => new(MuxStatus.Unavailable, "The connection has ended, and what belonged to it is disposed.");

    private bool HasEnded
    {
        get
        {
            lock (_gate) return _hasEnded;
        }
    }

    /// <summary>Gets the object of a type; creates it at first, while others that want it wait.</summary>
    /// <param name="create">Creates it.</param>
    public TState Get<TState>(Func<TState> create)
        where TState : class
    {
        Slot? slot;
        lock (_gate)
        {
            if (_hasEnded) throw Gone();
            slot = _slots.Find(static slot => slot.Type == typeof(TState));
            if (slot is null) _slots.Add(slot = new Slot(typeof(TState), create));
        }

        object state;
        try
        {
            state = slot.Object.Value;
        }
        catch
        {
            lock (_gate) _slots.Remove(slot); // the next one tries again in another place
            throw;
        }

        if (!HasEnded) return (TState)state;
        _ = DisposeAsync(slot); // the end came while it was created, and did not see it
        throw Gone();
    }

    /// <summary>Disposes all objects, the last created first, and lets go of them.</summary>
    public async Task EndAsync()
    {
        Slot[] slots;
        lock (_gate)
        {
            _hasEnded = true;
            slots = [.. _slots];
            _slots.Clear(); // code that keeps the peer keeps nothing that belonged to it
        }

        for (int i = slots.Length - 1; i >= 0; i--) await DisposeAsync(slots[i]).ConfigureAwait(false);
    }

    private Task DisposeAsync(Slot slot) => slot.Take() switch
    {
        IAsyncDisposable state => farewell.RunAsync(state.DisposeAsync, $"{slot.Type}.DisposeAsync"),
        IDisposable state => farewell.RunAsync(
            () =>
            {
                state.Dispose();
                return default;
            },
            $"{slot.Type}.Dispose"),
        _ => Task.CompletedTask,
    };

    /// <summary>The place of one object.</summary>
    private sealed class Slot(Type type, Func<object?> create)
    {
        private int _isTaken;

        public Type Type => type;

        public Lazy<object> Object { get; } =
            new(() => create() ?? throw new InvalidOperationException($"The function that creates {type} has returned null."));

        /// <summary>Takes the object for its disposal; null if there is none yet, or it is taken.</summary>
        public object? Take() => Object.IsValueCreated && Interlocked.Exchange(ref _isTaken, 1) == 0 ? Object.Value : null;
    }
}

/// <summary>Has the calls that wait until the connection of a peer has room, and is told of its end before user code is. Safe for concurrent use.</summary>
internal interface IPeerWatch : IRoomWatch
{
    /// <summary>True if calls wait: a further one has to go behind them. One that this thread has added is seen.</summary>
    bool HasWaiting { get; }

    /// <summary>Adds a call behind those that wait. It is handed over when its turn has come, or fails.</summary>
    /// <param name="call">The call.</param>
    /// <param name="calls">Carries it.</param>
    /// <param name="body">Its request, unless that is large.</param>
    void Add(OutgoingCall call, PeerCalls calls, ReadOnlySpan<byte> body);

    /// <summary>The connection has ended. Called once, without locks. Throws nothing.</summary>
    void OnEnded();
}
