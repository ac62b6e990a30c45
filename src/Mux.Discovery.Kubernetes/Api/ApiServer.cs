using System.Net;
using System.Net.Http.Headers;
using k8s;
using k8s.Authentication;
using Mux.Discovery.Kubernetes.Slices;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>Asks one API server for the EndpointSlices of one service. Belongs to one watch; not safe for concurrent use.</summary>
/// <remarks>
/// By HTTP/1.1: a watch then has a connection of its own, and a list after a watch that went silent does not wait on the same dead connection.
/// </remarks>
internal sealed class ApiServer : IDisposable
{
    /// <summary>The longest time for one page of a list, and for the beginning of a watch.</summary>
    public static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(30);

    /// <summary>The longest page of a list, and the longest line of a watch, in bytes: some 30 times a slice of 1,000 endpoints, the most that Kubernetes
    /// allows.</summary>
    public const int MaxBytes = 16 * 1024 * 1024;

    /// <summary>The most slices of one service: at least 1,000,000 pods.</summary>
    public const int MaxSlices = 10_000;

    /// <summary>The most pages of one list. A full page has 250 slices, so 40 are enough; a server may send smaller ones.</summary>
    public const int MaxPages = 100;

    /// <summary>The longest time for a whole list.</summary>
    public static readonly TimeSpan ListTimeout = TimeSpan.FromMinutes(2);

    // The API server ends a watch after this time; it is opened anew without a list.
    private const int WatchSeconds = 300;

    private const int SlicesPerPage = 250;

    private readonly HttpClient _client;
    private readonly ServiceClientCredentials? _credentials;
    private readonly TokenFile? _token;
    private readonly string? _tlsName;
    private readonly Uri _slices;
    private readonly string _space;
    private readonly TimeProvider _time;

    /// <param name="configuration">The cluster and the credentials.</param>
    /// <param name="service">The name of the service.</param>
    /// <param name="space">Its namespace; null for that of the configuration.</param>
    /// <param name="time">Measures the timeouts.</param>
    /// <exception cref="InvalidOperationException">The configuration has no usable address.</exception>
    public ApiServer(KubernetesClientConfiguration configuration, string service, string? space, TimeProvider time)
    {
        if (!Uri.TryCreate(configuration.Host, UriKind.Absolute, out var host) || host.Scheme is not ("http" or "https"))
            throw new InvalidOperationException($"The configuration of Kubernetes has the host '{configuration.Host}': expected an https or http address.");
        _space = space ?? (configuration.Namespace?.Trim() is { Length: > 0 } known ? known : "default");
        _time = time;
        _tlsName = string.IsNullOrWhiteSpace(configuration.TlsServerName) ? null : configuration.TlsServerName;
        _token = configuration.TokenProvider as TokenFile;
        _credentials = k8s.Kubernetes.CreateCredentials(configuration);
        _slices = new UriBuilder(host.Scheme, host.Host, host.Port, $"{host.AbsolutePath.TrimEnd('/')}/apis/discovery.k8s.io/v1/namespaces/"
            + $"{Uri.EscapeDataString(_space)}/endpointslices", $"?labelSelector=kubernetes.io%2Fservice-name%3D{service}").Uri;
        Name = $"The Kubernetes API server {host.Scheme}://{host.Authority}";
        Service = $"{service}.{_space}";
        _client = new HttpClient(ApiHandler.Create(configuration)) { Timeout = Timeout.InfiniteTimeSpan };
        _client.DefaultRequestHeaders.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
        _client.DefaultRequestHeaders.TryAddWithoutValidation("User-Agent", configuration.UserAgent);
    }

    /// <summary>What is asked, for errors: the address without credentials.</summary>
    public string Name { get; }

    /// <summary>The service with its namespace, for errors.</summary>
    public string Service { get; }

    /// <summary>Replaces the table by all slices that there are now, and returns the version of the list.</summary>
    /// <exception cref="IOException">The API server cannot be reached, or refuses, or the list does not end.</exception>
    public async Task<string> ListAsync(SliceTable table, CancellationToken cancellationToken)
    {
        using var limit = new SilenceLimit(_time, ListTimeout, cancellationToken);
        try
        {
            return await ListPagesAsync(table, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException error) when (limit.IsOver)
        {
            throw new IOException($"{Name} did not end its list of the EndpointSlices of {Service} within {ListTimeout.TotalSeconds:F0} s.", error);
        }
    }

    /// <summary>Begins to watch what changes after a version.</summary>
    /// <exception cref="IOException">The API server cannot be reached, or refuses.</exception>
    public async Task<SliceWatch> WatchAsync(string version, CancellationToken cancellationToken)
    {
        var path = $"&watch=1&allowWatchBookmarks=true&timeoutSeconds={WatchSeconds}&resourceVersion={Uri.EscapeDataString(version)}";
        var response = await AskAsync(token => SendAsync(path, token), cancellationToken).ConfigureAwait(false);
        try
        {
            if (!response.IsSuccessStatusCode && response.StatusCode != HttpStatusCode.Gone)
                throw await AskAsync(token => RefusalAsync(response, token), cancellationToken).ConfigureAwait(false);
            var lines = new LineReader(await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false), MaxBytes);
            var watch = new SliceWatch(this, response, lines, version, new SilenceLimit(_time, SliceWatch.MaxSilence, cancellationToken), _time);
            if (!response.IsSuccessStatusCode) watch.MarkGone();
            return watch;
        }
        catch
        {
            response.Dispose();
            throw;
        }
    }

    /// <summary>Explains what the API server says in place of slices.</summary>
    public ApiRefusedException Refusal(ApiStatus status) => ApiRefusedException.Create(Name, Service, _space, status);

    public void Dispose() => _client.Dispose();

    private async Task<string> ListPagesAsync(SliceTable table, CancellationToken cancellationToken)
    {
        table.Clear();
        var next = string.Empty;
        string version;
        int pages = 0;
        do
        {
            if (++pages > MaxPages)
                throw new IOException($"{Name} did not end its list of the EndpointSlices of {Service}: expected at most {MaxPages} pages.");
            var path = next.Length == 0 ? $"&limit={SlicesPerPage}" : $"&limit={SlicesPerPage}&continue={Uri.EscapeDataString(next)}";
            var page = await AskAsync(token => ReadPageAsync(path, token), cancellationToken).ConfigureAwait(false);
            foreach (var slice in page.Items ?? []) table.Add(slice);
            if (table.Count > MaxSlices) throw new IOException($"{Service} has more than {MaxSlices} EndpointSlices.");
            version = page.Metadata!.ResourceVersion!;
            next = page.Metadata.Continue ?? string.Empty;
        }
        while (next.Length > 0);
        return version;
    }

    private async Task<EndpointSliceList> ReadPageAsync(string path, CancellationToken cancellationToken)
    {
        using var response = await SendAsync(path, cancellationToken).ConfigureAwait(false);
        if (!response.IsSuccessStatusCode) throw await RefusalAsync(response, cancellationToken).ConfigureAwait(false);
        return await ListedPage.ReadAsync(response, MaxBytes, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sends a request. If the token of the service account is not accepted, its file may have a newer one: it is read once more.</summary>
    private async Task<HttpResponseMessage> SendAsync(string path, CancellationToken cancellationToken)
    {
        for (bool isSecond = false; ; isSecond = true)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, _slices.AbsoluteUri + path);
            if (_credentials is not null) await _credentials.ProcessHttpRequestAsync(request, cancellationToken).ConfigureAwait(false);
            if (_tlsName is not null) request.Headers.Host = _tlsName; // also the name that the certificate must contain
            var response = await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken).ConfigureAwait(false);
            if (response.StatusCode != HttpStatusCode.Unauthorized || _token is null || isSecond) return response;
            response.Dispose();
            _token.Forget();
        }
    }

    private async Task<ApiRefusedException> RefusalAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        var status = await ListedPage.ReadStatusAsync(response, cancellationToken).ConfigureAwait(false);
        return Refusal(status with { Code = (int)response.StatusCode });
    }

    /// <summary>Limits the time of a request, and tells in its errors what was asked.</summary>
    private async Task<T> AskAsync<T>(Func<CancellationToken, Task<T>> ask, CancellationToken cancellationToken)
    {
        using var limit = new SilenceLimit(_time, AnswerTimeout, cancellationToken);
        try
        {
            return await ask(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException error) when (!cancellationToken.IsCancellationRequested)
        {
            var what = limit.IsOver ? $"answer within {AnswerTimeout.TotalSeconds:F0} s" : "accept a connection within 10 s";
            throw new IOException($"{Name} did not {what} when asked for the EndpointSlices of {Service}.", error);
        }
        catch (Exception error) when (error is (HttpRequestException or IOException or InvalidDataException) and not ApiRefusedException)
        {
            var reason = error is InvalidDataException ? error.Message : error.GetBaseException().Message; // of TLS, the inner one says what is wrong
            throw new IOException($"{Name} could not be asked for the EndpointSlices of {Service}: {reason}", error);
        }
    }
}
