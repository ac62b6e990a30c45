using System.Diagnostics;
using Mux.Engine;

namespace Mux.Calls;

/// <summary>
/// The open connections of a server as peers, by id and by the name of their user. Costs nothing until they are first asked for: only then are the
/// connections listed, and from then on each that opens or ends. Safe for concurrent use.
/// </summary>
internal sealed class PeerSet
{
    private readonly Lock _gate = new(); // guards the fields below
    private readonly Dictionary<string, ConnectionPeer> _byId = new(StringComparer.Ordinal);
    private readonly Dictionary<string, List<ConnectionPeer>> _byUser = new(StringComparer.Ordinal);
    private readonly Dictionary<ConnectionPeer, string> _userOf = []; // the name that a peer is listed under; it may authenticate anew
    private IPeerListing[] _listings = [];
    private Func<IReadOnlyList<Connection>>? _source;
    private readonly Lock _filling = new(); // before all other locks: the first that looks fills the lists, and the others wait for it
    private volatile bool _isUsed;
    private volatile bool _isFilled;

    /// <summary>Number of open peers.</summary>
    public int Count
    {
        get
        {
            Use();
            lock (_gate) return _byId.Count;
        }
    }

    /// <summary>Sets what lists the connections at first. The list must contain each connection before <see cref="OnOpened"/> is called for it.</summary>
    public void Attach(Func<IReadOnlyList<Connection>> source)
    {
        bool isUsed;
        lock (_gate)
        {
            if (_source is not null) throw new InvalidOperationException("These peers belong to another server.");
            _source = source;
            isUsed = _isUsed;
        }

        if (isUsed) AddAll(source());
    }

    /// <summary>Undoes <see cref="Attach"/>: the server could not start, and has no connections.</summary>
    public void Detach()
    {
        lock (_gate) _source = null;
    }

    /// <summary>A connection is open.</summary>
    public void OnOpened(Connection connection)
    {
        if (_isUsed) Add(connection);
    }

    /// <summary>A connection has ended.</summary>
    public void OnEnded(ConnectionPeer peer)
    {
        if (!_isUsed) return;
        lock (_gate) RemoveLocked(peer);
    }

    /// <summary>Has an object learn of all peers that are listed, and will be.</summary>
    public void Tell(IPeerListing listing)
    {
        lock (_gate)
        {
            _listings = [.. _listings, listing];
            foreach (var peer in _byId.Values) listing.OnListed(_userOf.GetValueOrDefault(peer));
        }

        Use();
    }

    public MuxPeer? Find(string id)
    {
        Use();
        lock (_gate) return _byId.GetValueOrDefault(id);
    }

    public MuxPeer[] OfUser(string name)
    {
        Use();
        lock (_gate) return _byUser.TryGetValue(name, out var peers) ? [.. peers] : [];
    }

    public MuxPeer[] All()
    {
        Use();
        lock (_gate) return [.. _byId.Values];
    }

    private void Use()
    {
        if (_isFilled) return;
        lock (_filling)
        {
            if (_isFilled) return;
            Func<IReadOnlyList<Connection>>? source;
            lock (_gate)
            {
                _isUsed = true; // before the list is read: what opens meanwhile comes twice, and what comes later once
                source = _source;
            }

            if (source is not null) AddAll(source());
            _isFilled = true;
        }
    }

    private void AddAll(IReadOnlyList<Connection> connections)
    {
        foreach (var connection in connections)
        {
            if (connection.State == ConnectionState.Open) Add(connection);
        }
    }

    private void Add(Connection connection)
    {
        if (connection.Caller is not ConnectionPeer peer) return;
        lock (_gate)
        {
            if (!_byId.TryAdd(peer.Id, peer)) return;
            var user = peer.User?.Identity?.Name;
            if (user is not null)
            {
                _userOf.Add(peer, user);
                if (_byUser.TryGetValue(user, out var others)) others.Add(peer);
                else _byUser.Add(user, [peer]);
            }

            foreach (var listing in _listings) listing.OnListed(user);
            if (connection.HasEnded) RemoveLocked(peer); // its end may have come before
        }
    }

    private void RemoveLocked(ConnectionPeer peer)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (!_byId.Remove(peer.Id)) return;
        _userOf.Remove(peer, out var user);
        foreach (var listing in _listings) listing.OnUnlisted(user);
        if (user is null) return;
        var peers = _byUser[user];
        peers.Remove(peer);
        if (peers.Count == 0) _byUser.Remove(user);
    }
}

/// <summary>Is told which peers a server has. Runs under the lock of the list, so it only takes note.</summary>
internal interface IPeerListing
{
    /// <summary>A peer is listed.</summary>
    /// <param name="user">The name that it is listed under; null if it has none.</param>
    void OnListed(string? user);

    /// <summary>A peer is not listed any more.</summary>
    /// <param name="user">The name that it was listed under; null if it had none.</param>
    void OnUnlisted(string? user);
}

/// <summary>
/// Runs code of users for a connection that has ended: one thing after the other, and each for a limited time. What never ends keeps nothing else of the
/// connection, and what fails is told. Safe for concurrent use.
/// </summary>
internal sealed class Farewell(Connection connection)
{
    /// <summary>The time that each has. Part of what public methods promise.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Runs code until it ends, or its time does; then it continues alone. It gets a thread of its own: it may block
    /// before its first await, and this thread has others to tell.
    /// </summary>
    /// <param name="code">The code.</param>
    /// <param name="name">Names it for people.</param>
    /// <returns>False if its time has ended.</returns>
    public Task<bool> RunAsync(Func<ValueTask> code, string name)
    {
        var running = new Running(code);
        connection.Options.Work.AddUserCode(running);
        return WaitAsync(running.Ended, name);
    }

    /// <summary>Waits until code that runs has ended, or its time has; then it continues alone.</summary>
    /// <inheritdoc cref="RunAsync"/>
    public async Task<bool> WaitAsync(Task code, string name)
    {
        await code.WaitAsync(Patience, connection.Clock.Provider).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (code.IsCompleted)
        {
            await TellFailureAsync(code).ConfigureAwait(false);
            return true;
        }

        connection.Owner.OnUserCodeFailed(connection, new TimeoutException(
            $"{name} has not ended {Patience.TotalSeconds} s after the connection has. What else belongs to the connection ends without it."));
        _ = TellFailureAsync(code);
        return false;
    }

    private async Task TellFailureAsync(Task code)
    {
        try
        {
            await code.ConfigureAwait(false);
        }
        catch (Exception error)
        {
            connection.Owner.OnUserCodeFailed(connection, error);
        }
    }

    private sealed class Running(Func<ValueTask> code) : IThreadPoolWorkItem
    {
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Ended => _ended.Task;

        public void Execute() => _ = RunAsync();

        private async Task RunAsync()
        {
            try
            {
                await code().ConfigureAwait(false);
                _ended.SetResult();
            }
            catch (Exception error)
            {
                _ended.SetException(error);
            }
        }
    }
}
