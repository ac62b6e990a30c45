namespace Mux.Engine;

/// <summary>Handler slots granted to all connections of one address. Guarded by the lock of <see cref="HandlerLimit"/>.</summary>
/// <param name="host">The address in the form <see cref="HandlerLimit"/> looks it up.</param>
/// <param name="limit">Requests of all its connections.</param>
internal sealed class AddressShare(string host, long limit)
{
    public string Host => host;

    public long Limit => limit;

    /// <summary>Number of connections of this address.</summary>
    public int Connections { get; set; }

    /// <summary>Requests granted to these connections.</summary>
    public long Taken { get; set; }
}
