using System.Collections;

namespace Mux.Discovery;

/// <summary>All servers of a service at one moment. Immutable. May be empty.</summary>
/// <remarks>A source may report an address more than once; then the last entry that is not leaving counts, or else the last one.</remarks>
public sealed class EndpointSet : IReadOnlyList<MuxEndpoint>, IEquatable<EndpointSet>
{
    private readonly MuxEndpoint[] _endpoints;

    /// <summary>Creates a set. The order in which endpoints are given is kept.</summary>
    /// <param name="endpoints">The endpoints.</param>
    /// <exception cref="ArgumentNullException">The sequence or an endpoint in it is null.</exception>
    public EndpointSet(IEnumerable<MuxEndpoint> endpoints)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        var places = new Dictionary<MuxAddress, int>();
        var distinct = new List<MuxEndpoint>();
        foreach (var endpoint in endpoints)
        {
            ArgumentNullException.ThrowIfNull(endpoint, nameof(endpoints));
            if (places.TryAdd(endpoint.Address, distinct.Count)) distinct.Add(endpoint);
            else if (!endpoint.IsLeaving || distinct[places[endpoint.Address]].IsLeaving) distinct[places[endpoint.Address]] = endpoint;
        }

        _endpoints = [.. distinct];
    }

    /// <summary>Gets the set without endpoints.</summary>
    public static EndpointSet Empty { get; } = new([]);

    /// <summary>Gets the number of endpoints.</summary>
    public int Count => _endpoints.Length;

    /// <summary>Gets an endpoint.</summary>
    /// <param name="index">0 to <see cref="Count"/> - 1.</param>
    /// <exception cref="IndexOutOfRangeException">The index is out of this range.</exception>
    public MuxEndpoint this[int index] => _endpoints[index];

    /// <summary>Returns an enumerator of the endpoints.</summary>
    public IEnumerator<MuxEndpoint> GetEnumerator() => ((IEnumerable<MuxEndpoint>)_endpoints).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Compares two sets: they are equal if they have equal endpoints in any order.</summary>
    public bool Equals(EndpointSet? other)
    {
        if (ReferenceEquals(this, other)) return true;
        if (other is null || other.Count != Count) return false;
        var all = new HashSet<MuxEndpoint>(_endpoints);
        return Array.TrueForAll(other._endpoints, all.Contains);
    }

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as EndpointSet);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        int hash = Count;
        foreach (var endpoint in _endpoints) hash ^= endpoint.GetHashCode(); // in any order
        return hash;
    }

    /// <summary>Returns the addresses, separated by commas.</summary>
    public override string ToString() => string.Join(", ", _endpoints.Select(endpoint => endpoint.Address));
}
