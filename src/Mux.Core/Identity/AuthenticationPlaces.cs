namespace Mux.Identity;

/// <summary>
/// The places in which decisions are made, in all and by the address they are made for. Whoever finds none waits; addresses that wait are served in turn, so
/// that a crowd of one address delays no other one. Safe for concurrent use.
/// </summary>
/// <param name="limit">In all.</param>
/// <param name="perAddress">Of one address; peers without an address are not told apart, and are not counted by it.</param>
internal sealed class AuthenticationPlaces(int limit, int perAddress)
{
    private readonly Lock _gate = new(); // guards what follows
    private readonly Dictionary<string, Address> _addresses = new(StringComparer.Ordinal); // those that hold a place or wait for one
    private readonly LinkedList<Address> _ready = []; // wait, and may hold another place
    private int _count;

    /// <summary>Takes a place, which <see cref="Leave"/> gives back.</summary>
    /// <param name="host">Whose.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <exception cref="OperationCanceledException">It fired before there was a place.</exception>
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

    /// <summary>Once for each that entered.</summary>
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
            if (place.List is null) return; // it has its place
            address.Waiting.Remove(place);
            ServeLocked(address);
        }

        place.Value.TrySetCanceled(cancellationToken);
    }

    /// <summary>Gives out what places there are, after something has changed at one address.</summary>
    private void ServeLocked(Address changed)
    {
        UpdateReadyLocked(changed);
        while (_count < limit && _ready.First is { } first)
        {
            var address = first.Value;
            var place = address.Waiting.First!;
            address.Waiting.Remove(place);
            address.Held++;
            _count++;
            _ready.Remove(first); // behind the others, if it waits for more
            UpdateReadyLocked(address);
            place.Value.SetResult();
        }

        if (changed is { Held: 0, Waiting.Count: 0 }) _addresses.Remove(changed.Host);
    }

    private void UpdateReadyLocked(Address address)
    {
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
