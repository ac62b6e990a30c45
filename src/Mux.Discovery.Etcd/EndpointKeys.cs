using System.Text;
using Microsoft.Extensions.Logging;
using Mux.Discovery.Etcd.Protocol;

namespace Mux.Discovery.Etcd;

/// <summary>The keys of a prefix as etcd reports them: a list, then changes. Used by one watch at a time.</summary>
/// <param name="cluster">The prefix.</param>
/// <param name="logger">Learns of values that are no endpoints.</param>
internal sealed class EndpointKeys(EtcdCluster cluster, ILogger logger)
{
    private readonly Dictionary<string, (MuxEndpoint Endpoint, long Revision)> _endpoints = new(StringComparer.Ordinal);
    private HashSet<string> _unreadable = new(StringComparer.Ordinal); // keys that were logged, at most as many as there are keys

    /// <summary>
    /// Gets the endpoints in the order of their registration. Of two with one address the last one counts: the key of a server that has died stays until its
    /// lease ends, next to that of its successor.
    /// </summary>
    public EndpointSet ToSet() => new(_endpoints.Values.OrderBy(entry => entry.Revision).Select(entry => entry.Endpoint));

    /// <summary>Replaces all keys.</summary>
    public void Replace(IReadOnlyList<KeyValue> keys)
    {
        _endpoints.Clear();
        var known = _unreadable;
        _unreadable = new HashSet<string>(StringComparer.Ordinal);
        foreach (var key in keys) Put(key, known);
    }

    /// <summary>Applies changes.</summary>
    public void Apply(IReadOnlyList<WatchEvent> changes)
    {
        foreach (var change in changes)
        {
            if (change.Key is not { } key) continue;
            if (change.IsDelete) Remove(NameOf(key));
            else Put(key, known: null);
        }
    }

    /// <param name="key">The key and its value.</param>
    /// <param name="known">Unreadable keys of the list before, which are not logged again.</param>
    private void Put(KeyValue key, HashSet<string>? known)
    {
        var name = NameOf(key);
        var instance = Encoding.UTF8.GetString(key.Key.AsSpan(Math.Min(cluster.KeyPrefix.Length, key.Key.Length)));
        if (EndpointValue.TryRead(key.Value, instance, out var endpoint, out var error))
        {
            _unreadable.Remove(name);
            _endpoints[name] = (endpoint, key.ModRevision);
            return;
        }

        _endpoints.Remove(name);
        _unreadable.Add(name);
        if (known?.Contains(name) != true) EtcdLog.ValueUnreadable(logger, name, cluster.Name, error);
    }

    private void Remove(string name)
    {
        _endpoints.Remove(name);
        _unreadable.Remove(name);
    }

    private static string NameOf(KeyValue key) => Encoding.UTF8.GetString(key.Key);
}
