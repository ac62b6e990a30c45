namespace Mux.Push;

/// <summary>The members of the group with a key. If the group has members at other servers, this one subscribes to what is called there.</summary>
/// <param name="shelf">Keeps the group.</param>
/// <param name="key">The key.</param>
/// <param name="name">The name of the group at all servers; empty if all members are in this process.</param>
internal sealed class KeyedMembers<TKey>(GroupShelf<TKey> shelf, TKey key, string name)
    : GroupMembers(shelf, shelf.Kind.Counters, new GroupLabel(shelf.Kind.Counters.Name, key))
    where TKey : notnull
{
    private readonly Lock _gate = new(); // guards the fields below
    private IDisposable? _subscription;
    private bool _isOver;
    private int _hasBegun; // 1 if a member has subscribed, or does so

    /// <summary>Subscribes, unless another member has, or does so. Called for each member before it is in, without locks.</summary>
    public void Begin()
    {
        if (shelf.Kind.Relay is not { } relay || Interlocked.Exchange(ref _hasBegun, 1) != 0) return;
        IDisposable subscription;
        try
        {
            subscription = relay.Subscribe(name, OnReceived);
        }
        catch
        {
            Volatile.Write(ref _hasBegun, 0); // the next member tries again
            throw;
        }

        lock (_gate)
        {
            _subscription = subscription;
            if (!_isOver) return;
        }

        subscription.Dispose(); // forgotten meanwhile
    }

    public override void OnForgotten()
    {
        IDisposable? subscription;
        lock (_gate)
        {
            _isOver = true;
            subscription = _subscription;
        }

        shelf.Remove(key, this);
        try
        {
            subscription?.Dispose();
        }
        catch (Exception)
        {
            // A backplane of users. What it throws must not keep the member, whose connection has ended, in its other groups.
        }
    }

    /// <summary>A call of another server has come, or one of this server comes back.</summary>
    private void OnReceived(ReadOnlyMemory<byte> message)
    {
        if (GroupArrival.TryRead(shelf.Kind, name, message, out var arrival)) arrival.Deliver(shelf.Kind, All, Label, arrival.Envelope.Except);
    }
}
