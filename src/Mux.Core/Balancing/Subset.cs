using Mux.Contracts;
using Mux.Discovery;

namespace Mux.Balancing;

/// <summary>
/// Limits the endpoints that a client uses, so that thousands of clients and hundreds of servers need not all be connected. Rendezvous hashing (Thaler and
/// Ravishankar, 1998): each client ranks endpoints by a hash of its own name and the address, and uses the first. When one endpoint goes, a client replaces
/// that one alone. Called under the router's lock.
/// </summary>
/// <param name="instance">The name of this client process. Must differ between clients.</param>
/// <param name="size">Number of endpoints to use; 0 for all.</param>
internal sealed class Subset(string instance, int size)
{
    private readonly ulong _seed = StableHash.Of(instance);
    private bool _isLimited;

    /// <summary>Gets the endpoints to use, in the order of the set. All, unless there are over twice as many as needed.</summary>
    /// <remarks>
    /// Once the client has limited itself, it does so until there are fewer than one and a half times as many: a set around the limit must not open and close
    /// connections with each change.
    /// </remarks>
    public IReadOnlyList<MuxEndpoint> Select(IReadOnlyList<MuxEndpoint> endpoints)
    {
        _isLimited = size > 0 && endpoints.Count > (_isLimited ? size + (size / 2) : size * 2);
        if (!_isLimited) return endpoints;
        var chosen = new HashSet<MuxAddress>();
        int staying = 0;
        foreach (var endpoint in endpoints.OrderByDescending(RankOf).ThenBy(endpoint => endpoint.Address.ToString(), StringComparer.Ordinal))
        {
            if (staying == size) break;
            chosen.Add(endpoint.Address);
            if (!endpoint.IsLeaving) staying++; // a leaving one is kept for its open calls, with its successor
        }

        return [.. endpoints.Where(endpoint => chosen.Contains(endpoint.Address))];
    }

    private ulong RankOf(MuxEndpoint endpoint) => StableHash.Of(endpoint.Address.ToString(), _seed);
}
