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
