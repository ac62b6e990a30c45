using Mux.Contracts;
using Mux.Discovery;

namespace Mux.Client;

/// <summary>
/// Limits the endpoints that a client uses, so that thousands of clients and hundreds of servers need not all be connected. Rendezvous hashing (Thaler and
/// Ravishankar, 1998): each client ranks endpoints by a hash of its own name and the address, and uses the first. When one endpoint goes, a client replaces
/// that one alone. While none of them can be reached, it uses the next ones in its order. While some can, those that
/// are gone do not count, and the next ones of the order take their places: one server must not have all calls because
/// the others that were chosen are stale. Endpoints that are open stay until as many of the chosen ones are open: a list
/// that grows must not exchange connections that work for dials that may fail. Pure: times come in. Called under the
/// router's lock.
/// </summary>
/// <param name="instance">The name of this client process. Must differ between clients.</param>
/// <param name="size">Number of endpoints to use; 0 for all.</param>
internal sealed class Subset(string instance, int size)
{
    /// <summary>Microseconds for which no endpoint is open before others are tried, and between two such steps: 20 more dials a second by default.</summary>
    public const long StepTime = 1_000_000;

    /// <summary>Microseconds until the second round, when all endpoints were tried in vain: servers that return must not be dialed by all at once.</summary>
    public const long RoundTime = 30_000_000;

    private readonly ulong _seed = StableHash.Of(instance);
    private bool _isLimited;
    private bool _keepsOthers;
    private bool _hasGone;
    private int _passed; // endpoints of the order that are passed by: they could not be reached
    private long _nextStep = long.MinValue;
    private long _nextFill = long.MinValue;

    /// <summary>
    /// True if the last choice has more endpoints than are to be used: open ones beyond it, which stay for now, or some
    /// in place of others that are gone. It must be made again when another one opens.
    /// </summary>
    public bool HasMore => _keepsOthers || _hasGone;

    /// <summary>Gets the endpoints to use, in the order of the set. All, unless there are over twice as many as needed.</summary>
    /// <remarks>
    /// Once the client has limited itself, it does so until there are fewer than one and a half times as many: a set around the limit must not open and close
    /// connections with each change.
    /// </remarks>
    /// <param name="endpoints">The set.</param>
    /// <param name="kept">One of them that is used in any case; null for none.</param>
    /// <param name="isOpen">Says which of them are in use and open; null for none.</param>
    /// <param name="isGone">Says which of them are in use in vain, and do not count; null for none.</param>
    public IReadOnlyList<MuxEndpoint> Select(
        IReadOnlyList<MuxEndpoint> endpoints, MuxAddress? kept = null, Predicate<MuxAddress>? isOpen = null,
        Predicate<MuxAddress>? isGone = null)
    {
        _keepsOthers = _hasGone = false;
        _isLimited = size > 0 && endpoints.Count > (_isLimited ? size + (size / 2) : size * 2);
        if (!_isLimited)
        {
            _passed = 0;
            return endpoints;
        }

        var chosen = new HashSet<MuxAddress>();
        var order = endpoints.OrderByDescending(RankOf).ThenBy(endpoint => endpoint.Address.ToString(), StringComparer.Ordinal).ToArray();
        int first = _passed % order.Length, staying = 0;
        for (int i = 0; i < order.Length && staying < size; i++)
        {
            var endpoint = order[(first + i) % order.Length];
            chosen.Add(endpoint.Address);
            bool isOneGone = isGone?.Invoke(endpoint.Address) == true;
            _hasGone |= isOneGone;
            // A leaving one is kept for its open calls, with its successor; one that is gone is dialed from time to time.
            if (!endpoint.IsLeaving && !isOneGone) staying++;
        }

        if (kept is not null) chosen.Add(kept);
        if (isOpen is not null) KeepOpen(order, chosen, isOpen);
        return [.. endpoints.Where(endpoint => chosen.Contains(endpoint.Address))];
    }

    /// <summary>Lets the next choice pass by the endpoints of the last one, if it is time. Called when all of them were dialed in vain.</summary>
    /// <param name="count">Number of endpoints of the set.</param>
    /// <param name="closedSince">Since when no endpoint is open; long ago if none was.</param>
    /// <param name="now">The current time.</param>
    /// <returns>True if <see cref="Select"/> now chooses others.</returns>
    public bool TryPass(int count, long closedSince, long now)
    {
        if (!_isLimited || now < _nextStep || closedSince > now - StepTime) return false;
        _passed += size;
        bool isRound = _passed >= count;
        if (isRound) _passed = 0;
        _nextStep = now + (isRound ? RoundTime : StepTime);
        return true;
    }

    /// <summary>
    /// True, at most once in <see cref="StepTime"/>, if the next choice has more endpoints than the last one, because some
    /// of that one are gone. Called when one of them was dialed in vain, and others are open.
    /// </summary>
    /// <param name="used">Number of endpoints of the last choice.</param>
    /// <param name="count">Number of endpoints of the set.</param>
    /// <param name="countGone">Counts those of the last choice that are gone.</param>
    /// <param name="now">The current time.</param>
    public bool TryFill(int used, int count, Func<int> countGone, long now)
    {
        if (!_isLimited || used >= count || now < _nextFill) return false;
        _nextFill = now + StepTime;
        return used - countGone() < size;
    }

    /// <summary>Adds open endpoints until as many are open as before, or as many as are to be used.</summary>
    private void KeepOpen(MuxEndpoint[] order, HashSet<MuxAddress> chosen, Predicate<MuxAddress> isOpen)
    {
        int open = chosen.Count(address => isOpen(address));
        foreach (var endpoint in order)
        {
            if (open >= size) break;
            if (!isOpen(endpoint.Address) || !chosen.Add(endpoint.Address)) continue;
            open++;
            _keepsOthers = true;
        }
    }

    private ulong RankOf(MuxEndpoint endpoint) => StableHash.Of(endpoint.Address.ToString(), _seed);
}
