using System.Diagnostics;
using Mux.Runtime;

namespace Mux.Server;

/// <summary>
/// Limits concurrent authentications, in total and per address. Peers wait for a free place; waiting addresses are served in turn, so that many peers of one
/// address delay no other address. Thread-safe.
/// </summary>
/// <param name="limit">Maximum number in total.</param>
/// <param name="perAddress">Maximum number per address. Does not apply to peers without an address, which cannot be distinguished.</param>
internal sealed class AuthenticationPlaces(int limit, int perAddress)
{
    private readonly Lock _gate = new(); // guards the fields below
    private readonly Dictionary<string, Address> _addresses = new(StringComparer.Ordinal); // addresses that hold a place or wait for one
    private readonly LinkedList<Address> _ready = []; // addresses that wait and may take another place
    private int _count;

    /// <summary>Takes a place, to be released with <see cref="Leave"/>.</summary>
    /// <param name="host">Address of the peer.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled before a place was free.</exception>
    public async Task EnterAsync(string host, CancellationToken cancellationToken)
    {
        Address address;
        LinkedListNode<TaskCompletionSource> place;
        lock (_gate)
        {
            if (!_addresses.TryGetValue(host, out var known)) _addresses.Add(host, known = new Address(host));
            address = known;
            place = address.Waiting.AddLast(new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            ServeLocked(address);
        }

        await using var registration = cancellationToken.UnsafeRegister(_ => GiveUp(address, place, cancellationToken), null).ConfigureAwait(false);
        await place.Value.Task.ConfigureAwait(false);
    }

    /// <summary>Releases a place. Call once per place.</summary>
    public void Leave(string host)
    {
        lock (_gate)
        {
            var address = _addresses[host];
            address.Held--;
            _count--;
            ServeLocked(address);
        }
    }

    private void GiveUp(Address address, LinkedListNode<TaskCompletionSource> place, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (place.List is null) return; // it has got its place
            address.Waiting.Remove(place);
            ServeLocked(address);
        }

        place.Value.TrySetCanceled(cancellationToken);
    }

    /// <summary>Hands out free places after a change at one address.</summary>
    private void ServeLocked(Address changed)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        UpdateReadyLocked(changed);
        while (_count < limit && _ready.First is { } first)
        {
            var address = first.Value;
            var place = address.Waiting.First!;
            address.Waiting.Remove(place);
            address.Held++;
            _count++;
            _ready.Remove(first); // moves to the end if it waits for more
            UpdateReadyLocked(address);
            place.Value.SetResult();
        }

        if (changed is { Held: 0, Waiting.Count: 0 }) _addresses.Remove(changed.Host);
    }

    private void UpdateReadyLocked(Address address)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        bool isReady = address.Waiting.Count > 0 && (address.Held < perAddress || address.Host.Length == 0);
        if (isReady == address.Ready.List is not null) return;
        if (isReady) _ready.AddLast(address.Ready);
        else _ready.Remove(address.Ready);
    }

    private sealed class Address
    {
        public Address(string host)
        {
            Host = host;
            Ready = new(this);
        }

        public string Host { get; }

        public int Held { get; set; }

        public LinkedList<TaskCompletionSource> Waiting { get; } = [];

        public LinkedListNode<Address> Ready { get; }
    }
}

/// <summary>Counts recent failures to authenticate per address. Bounded: the oldest address makes room. Thread-safe.</summary>
internal sealed class FailureTable
{
    /// <summary>Failures of one address within <see cref="s_window"/> that have no consequence.</summary>
    public const int Free = 5;

    public const int MaxAddresses = 4096;

    private static readonly long s_window = Clock.Microseconds(TimeSpan.FromMinutes(1));

    private readonly Lock _gate = new(); // guards the fields below
    private readonly Dictionary<string, (long Since, int Count)> _failures = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = [];

    public int Count
    {
        get
        {
            lock (_gate) return _failures.Count;
        }
    }

    /// <summary>Counts a failure.</summary>
    /// <param name="remoteAddress">Address, with or without a port.</param>
    /// <param name="now">Time of a <see cref="Clock"/>.</param>
    /// <returns>True if the address has failed too often.</returns>
    public bool Add(string remoteAddress, long now)
    {
        var address = PeerHost.Of(remoteAddress);
        lock (_gate)
        {
            bool isKnown = _failures.TryGetValue(address, out var failures);
            if (!isKnown) Enqueue(address);
            if (!isKnown || now - failures.Since >= s_window) failures = (now, 0);
            failures.Count++;
            _failures[address] = failures;
            return failures.Count > Free;
        }
    }

    private void Enqueue(string address)
    {
        if (_order.Count == MaxAddresses) _failures.Remove(_order.Dequeue());
        _order.Enqueue(address);
    }
}
