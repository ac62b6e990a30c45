using System.Diagnostics;
using Mux.Calls;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>
/// Subscribes to the calls that other servers make to peers of this one: to those of each connected user, and while at least one is, to those by id.
/// Subscriptions are made and ended by one work item after the other: connections open and end on threads that must not meet a backplane of users.
/// </summary>
/// <param name="peers">The peers.</param>
/// <param name="relay">Carries the calls.</param>
internal sealed class PeerInbox(ListedPeers peers, GroupRelay relay) : IPeerListing, IThreadPoolWorkItem
{
    private readonly Lock _gate = new(); // after that of the list of peers; guards the fields below
    private readonly Dictionary<string, int> _peersOf = new(StringComparer.Ordinal); // how many peers each channel is for
    private readonly Queue<(string Channel, string? User)> _changed = [];
    private bool _isRunning;

    private readonly Dictionary<string, IDisposable> _subscriptions = new(StringComparer.Ordinal); // of the work item

    public void OnListed(string? user) => Count(user, 1);

    public void OnUnlisted(string? user) => Count(user, -1);

    void IThreadPoolWorkItem.Execute()
    {
        while (true)
        {
            (string Channel, string? User) next;
            bool isWanted;
            lock (_gate)
            {
                _isRunning = _changed.TryDequeue(out next);
                if (!_isRunning) return;
                isWanted = _peersOf.ContainsKey(next.Channel);
            }

            try
            {
                if (!isWanted && _subscriptions.Remove(next.Channel, out var subscription)) subscription.Dispose();
                if (isWanted && !_subscriptions.ContainsKey(next.Channel)) _subscriptions.Add(next.Channel, Subscribe(next.Channel, next.User));
            }
            catch (Exception)
            {
                // A backplane that has ended, which says so itself. The next change of the channel tries again.
            }
        }
    }

    private void Count(string? user, int change)
    {
        lock (_gate)
        {
            CountLocked(peers.OwnIds, null, change);
            if (user is not null && ListedPeers.IsUsable(user)) CountLocked(peers.ChannelOf(user), user, change);
            if (_isRunning || _changed.Count == 0) return;
            _isRunning = true;
        }

        EnginePool.Queue(this);
    }

    private void CountLocked(string channel, string? user, int change)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        int before = _peersOf.GetValueOrDefault(channel), after = before + change;
        if (after == 0) _peersOf.Remove(channel);
        else _peersOf[channel] = after;
        if (before == 0 || after == 0) _changed.Enqueue((channel, user));
    }

    private IDisposable Subscribe(string channel, string? user) => relay.Subscribe(channel, message =>
    {
        if (!GroupArrival.TryRead(peers.Kind, channel, message, out var arrival)) return;
        if (user is not null) arrival.Deliver(peers.Kind, peers.OfUsers([user]), UserTarget.LabelOf(peers.Kind, user), arrival.Envelope.Except);
        else if (arrival.Envelope.Except is { } ids) arrival.Deliver(peers.Kind, peers.WithIds(ids.Ids), IdTarget.LabelOf(peers.Kind), except: null);
    });
}
