using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>
/// The operations of etcd v3 that discovery needs, over its HTTP interface. Logs in when it has a user, and again when a token is rejected. Used by one caller
/// at a time, except while a watch is open.
/// </summary>
internal sealed class EtcdClient(EtcdCluster cluster) : IDisposable
{
    private readonly MemberConnections _members = new(cluster);
    private string? _token;
    private bool _isLoggedIn; // also without a token: authentication is not enabled

    /// <summary>Lists the keys of the prefix, as a majority of the cluster knows them.</summary>
    /// <exception cref="EtcdException">No member has answered, or the cluster refuses. So all operations.</exception>
    public Task<RangeResponse> ListAsync(CancellationToken cancellationToken) =>
        SendAsync("/v3/kv/range", new RangeRequest(cluster.KeyPrefix, EndOf(cluster.KeyPrefix)), EtcdJson.Default.RangeRequest, ReadListAsync,
            cancellationToken);

    /// <summary>Watches the keys of the prefix from a revision.</summary>
    public Task<EtcdWatch> WatchAsync(long revision, CancellationToken cancellationToken)
    {
        var request = new WatchRequest(new WatchCreateRequest(cluster.KeyPrefix, EndOf(cluster.KeyPrefix), revision));
        return SendAsync("/v3/watch", request, EtcdJson.Default.WatchRequest,
            (response, token) => EtcdWatch.OpenAsync(response, cluster.Time, token), cancellationToken);
    }

    /// <summary>Writes a key of the prefix that lives as long as a lease.</summary>
    public Task PutAsync(byte[] key, byte[] value, long lease, CancellationToken cancellationToken) =>
        AskAsync("/v3/kv/put", new PutRequest(key, value, lease), EtcdJson.Default.PutRequest, EtcdJson.Default.Acknowledgement, cancellationToken);

    /// <summary>Gets a lease.</summary>
    public async Task<long> GrantAsync(long seconds, CancellationToken cancellationToken)
    {
        var lease = await AskAsync("/v3/lease/grant", new LeaseGrantRequest(seconds), EtcdJson.Default.LeaseGrantRequest, EtcdJson.Default.LeaseResponse,
            cancellationToken).ConfigureAwait(false);
        return lease.Lease;
    }

    /// <summary>Renews a lease, with a request of its own: the interface reads a stream of renewals no further than its first one.</summary>
    /// <returns>False if the lease has ended: etcd then answers as for a living one, only without the time that it lives.</returns>
    public async Task<bool> KeepAliveAsync(long lease, CancellationToken cancellationToken)
    {
        var line = await AskAsync("/v3/lease/keepalive", new LeaseRequest(lease), EtcdJson.Default.LeaseRequest, EtcdJson.Default.LeaseLine, cancellationToken)
            .ConfigureAwait(false);
        if (line.Error is { } error) throw new EtcdException($"The lease cannot be renewed: {EtcdFailure.TextOf(error) ?? "etcd does not say why"}.");
        return line.Result is { Seconds: > 0 };
    }

    /// <summary>Ends a lease, and with it its keys.</summary>
    public Task RevokeAsync(long lease, CancellationToken cancellationToken) =>
        AskAsync("/v3/lease/revoke", new LeaseRequest(lease), EtcdJson.Default.LeaseRequest, EtcdJson.Default.Acknowledgement, cancellationToken);

    public void Dispose() => _members.Dispose();

    private Task<TResponse> AskAsync<TRequest, TResponse>(string path, TRequest request, JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType, CancellationToken cancellationToken) =>
        SendAsync(path, request, requestType, (response, token) => ReadAsync(response, responseType, token), cancellationToken);

    private async Task<T> SendAsync<TRequest, T>(string path, TRequest request, JsonTypeInfo<TRequest> requestType,
        Func<HttpResponseMessage, CancellationToken, Task<T>> read, CancellationToken cancellationToken)
    {
        var body = JsonSerializer.SerializeToUtf8Bytes(request, requestType);
        if (cluster.User is not null && !_isLoggedIn) await LogInAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await _members.SendAsync(path, body, _token, read, cancellationToken).ConfigureAwait(false);
        }
        catch (EtcdException e) when (e.Refusal == EtcdRefusal.Token && cluster.User is not null)
        {
            await LogInAsync(cancellationToken).ConfigureAwait(false);
            return await _members.SendAsync(path, body, _token, read, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Makes the next request log in: etcd tells a watch that its token is rejected as if the user had no permission.</summary>
    public void ForgetToken() => _isLoggedIn = false;

    private async Task LogInAsync(CancellationToken cancellationToken)
    {
        var request = new AuthenticateRequest(cluster.User!, cluster.Password!);
        var body = JsonSerializer.SerializeToUtf8Bytes(request, EtcdJson.Default.AuthenticateRequest);
        try
        {
            var response = await _members.SendAsync("/v3/auth/authenticate", body, token: null,
                (response, token) => ReadAsync(response, EtcdJson.Default.AuthenticateResponse, token), cancellationToken).ConfigureAwait(false);
            _token = response.Token;
        }
        catch (EtcdException e) when (e.Refusal == EtcdRefusal.NoAuthentication)
        {
            _token = null;
        }

        _isLoggedIn = true;
    }

    private static async Task<RangeResponse> ReadListAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        var list = await ReadAsync(response, EtcdJson.Default.RangeResponse, cancellationToken).ConfigureAwait(false);
        return list.Keys.Contains(null!) ? throw new EtcdException("its response has null in \"kvs\": expected keys") : list;
    }

    private static async Task<T> ReadAsync<T>(HttpResponseMessage response, JsonTypeInfo<T> type, CancellationToken cancellationToken)
    {
        using (response)
        {
            var body = await MemberConnections.ReadBodyAsync(response, cancellationToken).ConfigureAwait(false);
            try
            {
                return JsonSerializer.Deserialize(body, type) ?? throw new EtcdException("its response is null");
            }
            catch (JsonException e)
            {
                throw new EtcdException("its response is not that of etcd v3", inner: e);
            }
        }
    }

    /// <summary>The first key after all keys of a prefix: the prefix with its last byte plus one. A prefix ends in a slash.</summary>
    private static byte[] EndOf(byte[] prefix) => [.. prefix.AsSpan(0, prefix.Length - 1), (byte)(prefix[^1] + 1)];
}
