using System.Text;
using Microsoft.Extensions.Logging;
using Mux.Discovery.Etcd.Protocol;

namespace Mux.Discovery.Etcd;

/// <summary>
/// A key under a lease, which it renews in the background. The registry starts and ends it, one call at a time; the state belongs to the start, then to the
/// renewals, then to the end.
/// </summary>
internal sealed class LeasedKey : IDisposable
{
    private readonly EtcdCluster _cluster;
    private readonly MuxEndpoint _endpoint;
    private readonly byte[] _name;
    private readonly byte[] _value;
    private readonly long _leaseSeconds;
    private readonly ILogger _logger;
    private readonly EtcdClient _client;
    private readonly CancellationTokenSource _ending = new();
    private readonly CancellationToken _end; // of the source, for use after its disposal
    private Task? _renewals;
    private long? _lease;
    private bool _isWritten;
    private bool _isLost; // and that was logged

    public LeasedKey(EtcdCluster cluster, MuxEndpoint endpoint, string instance, long leaseSeconds, ILogger logger)
    {
        _cluster = cluster;
        _endpoint = endpoint;
        _name = [.. cluster.KeyPrefix, .. Encoding.UTF8.GetBytes(instance)];
        _value = EndpointValue.Write(endpoint);
        _leaseSeconds = leaseSeconds;
        _logger = logger;
        _client = new EtcdClient(cluster);
        _end = _ending.Token;
    }

    /// <summary>True if it is the key of an endpoint.</summary>
    public bool IsOf(MuxEndpoint endpoint) => endpoint == _endpoint;

    /// <summary>Writes the key, and renews its lease from now on. After an exception, it can be called again.</summary>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (_renewals is not null) return;
        await WriteAsync(cancellationToken).ConfigureAwait(false);
        _renewals = Task.Run(RenewAsync, CancellationToken.None);
    }

    /// <summary>Stops the renewals, and ends the lease, which removes the key.</summary>
    public async Task EndAsync(CancellationToken cancellationToken)
    {
        await _ending.CancelAsync().ConfigureAwait(false);
        if (_renewals is not null) await _renewals.WaitAsync(cancellationToken).ConfigureAwait(false);
        if (_lease is { } lease) await _client.RevokeAsync(lease, cancellationToken).ConfigureAwait(false);
    }

    public void Dispose()
    {
        _ending.Cancel();
        _ending.Dispose();
        _client.Dispose();
    }

    /// <summary>
    /// Renews three times in the life of the lease; after a failure every 1 to 2 s, so that the key is back soon after etcd is. Never throws.
    /// </summary>
    private async Task RenewAsync()
    {
        var pause = TimeSpan.FromSeconds(_leaseSeconds / 3.0);
        while (!_end.IsCancellationRequested)
        {
            await Task.Delay(pause, _cluster.Time, _end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            try
            {
                await WriteAsync(_end).ConfigureAwait(false);
                NoteReturn();
                pause = TimeSpan.FromSeconds(_leaseSeconds / 3.0);
            }
            catch (Exception) when (_end.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                NoteLoss(e.Message.TrimEnd('.'), e);
                pause = TimeSpan.FromSeconds(1 + Random.Shared.NextDouble());
            }
        }
    }

    /// <summary>
    /// Makes the key live under a living lease, whatever has become of both. Each step is remembered, so that an attempt that fails is continued: with a second
    /// lease, a late write could leave the key under the first one, which nothing renews.
    /// </summary>
    private async Task WriteAsync(CancellationToken cancellationToken)
    {
        if (_lease is { } lease && !await _client.KeepAliveAsync(lease, cancellationToken).ConfigureAwait(false))
        {
            if (_isWritten) NoteLoss("etcd has ended its lease", error: null);
            (_lease, _isWritten) = (null, false);
        }

        _lease ??= await _client.GrantAsync(_leaseSeconds, cancellationToken).ConfigureAwait(false);
        if (_isWritten) return;
        await _client.PutAsync(_name, _value, _lease.Value, cancellationToken).ConfigureAwait(false);
        _isWritten = true;
    }

    private void NoteLoss(string reason, Exception? error)
    {
        if (_isLost) return;
        _isLost = true;
        EtcdLog.RegistrationLost(_logger, _endpoint.Address, _cluster.Name, reason, error);
    }

    private void NoteReturn()
    {
        if (!_isLost) return;
        _isLost = false;
        EtcdLog.RegisteredAgain(_logger, _endpoint.Address, _cluster.Name);
    }
}
