using System.Net.Http.Headers;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>
/// Sends requests to the members of a cluster: to each in random order, for 5 s each, until one answers. Safe for concurrent use.
/// </summary>
internal sealed class MemberConnections : IDisposable
{
    /// <summary>Time for the answer of one member.</summary>
    public static readonly TimeSpan MemberTimeout = TimeSpan.FromSeconds(5);

    /// <summary>Longest response that is not a stream, in bytes: more than 100,000 endpoints.</summary>
    private const int MaxResponse = 64 * 1024 * 1024;

    private readonly EtcdCluster _cluster;
    private readonly HttpClient _http;

    public MemberConnections(EtcdCluster cluster)
    {
        _cluster = cluster;
        _http = new HttpClient(HandlerOf(cluster), disposeHandler: true)
        {
            Timeout = Timeout.InfiniteTimeSpan, // requests have a limit of their own, on the clock of the cluster
        };
    }

    /// <summary>Sends a request and reads its response.</summary>
    /// <param name="path">The path, which names the operation.</param>
    /// <param name="body">The request as JSON.</param>
    /// <param name="token">The token of the user, or null.</param>
    /// <param name="read">Reads a successful response, or its beginning, within the time of the member. Disposes it, or what it returns does.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="EtcdException">No member has answered, or the cluster refuses.</exception>
    public async Task<T> SendAsync<T>(
        string path, byte[] body, string? token, Func<HttpResponseMessage, CancellationToken, Task<T>> read, CancellationToken cancellationToken)
    {
        var members = _cluster.Members.ToArray();
        Random.Shared.Shuffle(members);
        var reasons = new List<string>(members.Length);
        Exception? last = null;
        foreach (var member in members)
        {
            using var limit = new CancellationTokenSource(MemberTimeout, _cluster.Time);
            using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
            try
            {
                return await SendToAsync(member, path, body, token, read, both.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
            {
                last = e;
                reasons.Add($"{EtcdCluster.Describe(member)}: no answer within {MemberTimeout.TotalSeconds} s");
            }
            catch (Exception e) when (e is HttpRequestException or IOException { } and not EtcdException { Refusal: not EtcdRefusal.None })
            {
                last = e;
                reasons.Add($"{EtcdCluster.Describe(member)}: {EtcdFailure.Describe(e)}");
            }
        }

        throw new EtcdException($"No member of etcd has answered {path}: {string.Join("; ", reasons)}.", inner: last);
    }

    /// <summary>Reads a response that is not a stream.</summary>
    /// <exception cref="HttpRequestException">It is longer than <see cref="MaxResponse"/>, or the connection was lost.</exception>
    public static async Task<byte[]> ReadBodyAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        await response.Content.LoadIntoBufferAsync(MaxResponse, cancellationToken).ConfigureAwait(false);
        return await response.Content.ReadAsByteArrayAsync(cancellationToken).ConfigureAwait(false);
    }

    public void Dispose() => _http.Dispose();

    private async Task<T> SendToAsync<T>(Uri member, string path, byte[] body, string? token,
        Func<HttpResponseMessage, CancellationToken, Task<T>> read, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(member, path));
        request.Content = new ByteArrayContent(body) { Headers = { ContentType = new MediaTypeHeaderValue("application/json") } };

        // A member that has lost its leader fails the request, and ends its watches: otherwise a member of a minority answers, and is silent, for ever.
        request.Headers.Add("Grpc-Metadata-hasleader", "true");
        if (token is not null) request.Headers.TryAddWithoutValidation("Authorization", token);
        var response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken).ConfigureAwait(false);
        if (response.IsSuccessStatusCode) return await read(response, cancellationToken).ConfigureAwait(false);
        using (response)
        {
            var text = EtcdFailure.TextOf(response.StatusCode, await ReadBodyAsync(response, cancellationToken).ConfigureAwait(false));
            var refusal = EtcdFailure.Classify(response.StatusCode, text);
            throw new EtcdException(refusal == EtcdRefusal.None ? text : $"etcd at {EtcdCluster.Describe(member)} refuses {path}: {text}.", refusal);
        }
    }

    /// <summary>A proxy of the environment is for the web: a cluster is in the network of its clients. A redirect would carry the token elsewhere.</summary>
    private static SocketsHttpHandler HandlerOf(EtcdCluster cluster)
    {
        var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            UseCookies = false,
            AllowAutoRedirect = false,
            ActivityHeadersPropagator = null, // no traces: a watch would be a request that takes days
            ConnectTimeout = MemberTimeout,
            PooledConnectionLifetime = TimeSpan.FromMinutes(5), // members move to other addresses behind their names
        };
        if (cluster.Certificate is { } certificate)
            handler.SslOptions.ClientCertificateContext = SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true);
        if (cluster.TrustedRoots is { } roots)
        {
            var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            policy.CustomTrustStore.AddRange(roots);
            handler.SslOptions.CertificateChainPolicy = policy;
        }

        return handler;
    }
}
