using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Discovery.Etcd.Protocol;

namespace Mux.Discovery.Etcd;

/// <summary>
/// Registers a server under a prefix of etcd v3, with a key that lives as long as a lease: <see cref="EtcdRegistrationOptions.Lease"/> after the process has
/// died, etcd removes it. <see cref="EtcdEndpointSource"/> reads such keys.
/// </summary>
/// <remarks>
/// <para>The registry renews the lease three times in its life. When etcd has lost the lease, because the process was stopped for longer or etcd was restored,
/// the registry writes the key again. It logs <c>RegistrationLost</c> (1051) and <c>Registered</c> (1050). A key that was deleted by hand stays deleted, so
/// that a server can be taken out of service while it runs.</para>
/// <para>Safe for concurrent use: registrations and deregistrations wait for each other. Dispose the registry when none of them runs.</para>
/// </remarks>
public sealed class EtcdEndpointRegistry : IEndpointRegistry, IDisposable
{
    private readonly EtcdCluster _cluster;
    private readonly long _leaseSeconds;
    private readonly ILogger _logger;
    private readonly SemaphoreSlim _turn = new(1, 1); // guards the field below
    private LeasedKey? _key;

    /// <summary>Creates a registry. It connects when a server is registered.</summary>
    /// <param name="target">The members of etcd and the prefix of the keys: <c>mux+etcd://e1:2379,e2:2379/mux/orders</c>, or <c>mux+etcds</c> with TLS. The
    /// port is 2379 by default.</param>
    /// <param name="options">Further options, or null.</param>
    /// <param name="loggers">Where the registry logs, in the category <c>Mux.Server</c>; null to log nothing.</param>
    /// <param name="time">Measures intervals and time limits; null for the clock of the system.</param>
    /// <exception cref="ArgumentException">The target or an option is invalid; the message names all of them.</exception>
    public EtcdEndpointRegistry(string target, EtcdRegistrationOptions? options = null, ILoggerFactory? loggers = null, TimeProvider? time = null)
    {
        options ??= new EtcdRegistrationOptions();
        _cluster = options.ToCluster(target, time);
        _leaseSeconds = (long)options.Lease.TotalSeconds;
        _logger = (loggers ?? NullLoggerFactory.Instance).CreateLogger("Mux.Server");
    }

    /// <inheritdoc/>
    public string Name => _cluster.Name;

    /// <summary>Writes the key of a server. An earlier registration by this object is withdrawn first.</summary>
    /// <param name="endpoint">The endpoint, with the address at which clients reach it. The name of its key is <see cref="MuxEndpoint.Instance"/>, or else
    /// that of the machine and a random number.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="ArgumentException">The instance is not 1 to 128 characters without slashes, spaces and control characters, or the port is
    /// 0.</exception>
    /// <exception cref="IOException">etcd cannot be reached or refuses.</exception>
    public async Task RegisterAsync(MuxEndpoint endpoint, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        if (endpoint.Address is { Port: 0, Host.Length: > 0 })
            throw new ArgumentException($"{endpoint.Address} has port 0: expected the port at which clients reach the server.", nameof(endpoint));
        var instance = endpoint.Instance ?? InstanceName.New();
        if (!InstanceName.IsAllowed(instance))
            throw new ArgumentException($"The instance '{instance}' is not allowed: expected {InstanceName.Allowed}.", nameof(endpoint));
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // A failed attempt keeps its key and lease: etcd may have accepted them without an answer, and the next attempt must not leave two.
            if (_key is null || !_key.IsOf(endpoint))
            {
                if (_key is not null) await EndAsync(cancellationToken).ConfigureAwait(false);
                _key = new LeasedKey(_cluster, endpoint, instance, _leaseSeconds, _logger);
            }

            await _key.StartAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Ends the lease, and with it the key.</summary>
    /// <param name="cancellationToken">Ends the attempt. The key is no longer renewed in any case.</param>
    /// <exception cref="IOException">etcd cannot be reached or refuses. The key is removed when its lease ends.</exception>
    public async Task DeregisterAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await EndAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Stops to renew the lease, and closes the connections, without an answer from etcd. The key is removed when its lease ends.</summary>
    public void Dispose()
    {
        _key?.Dispose();
        _turn.Dispose();
    }

    private async Task EndAsync(CancellationToken cancellationToken)
    {
        if (_key is not { } key) return;
        _key = null;
        using (key) await key.EndAsync(cancellationToken).ConfigureAwait(false);
    }
}
