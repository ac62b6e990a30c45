using k8s;
using Mux.Discovery.Kubernetes.Api;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Discovery.Kubernetes.Tests.Server;

/// <summary>A source and the API server that it asks, without TLS and credentials.</summary>
internal sealed class Cluster : IAsyncDisposable
{
    /// <summary>Longer than what keeps requests apart, shorter than any silence that counts.</summary>
    public static readonly TimeSpan AWhile = TimeSpan.FromSeconds(2);

    private Cluster(ScriptedApiServer server, string target, KubernetesDiscoveryOptions options)
    {
        Server = server;
        options.Configuration ??= () => new KubernetesClientConfiguration { Host = server.Address.ToString(), Namespace = "prod" };
        Source = new KubernetesEndpointSource(KubernetesTarget.Parse(target), options, Time, new ServiceAccount(null, null, "/nowhere"), Logs);
        Sets = new WatchedSource(Source, Time);
    }

    public ScriptedApiServer Server { get; }

    public ManualTime Time { get; } = new();

    public LogCollector Logs { get; } = new();

    public KubernetesEndpointSource Source { get; }

    public WatchedSource Sets { get; }

    public static async Task<Cluster> StartAsync(string target = "mux+k8s://orders.prod:rpc", KubernetesDiscoveryOptions? options = null) =>
        new(await ScriptedApiServer.StartAsync(), target, options ?? new KubernetesDiscoveryOptions());

    /// <summary>Lists the slices and opens the watch, as each test of a watch begins.</summary>
    public async Task<ApiRequest> ListedAsync(params SliceText[] slices)
    {
        await (await Server.ListAsync()).AnswerAsync(SliceText.List(101, slices));
        await Sets.NextAsync();
        return await OpenAsync();
    }

    /// <summary>Takes the next watch and begins its answer.</summary>
    public async Task<ApiRequest> OpenAsync()
    {
        var watch = await Server.WatchAsync();
        await watch.OpenAsync();
        return watch;
    }

    public async ValueTask DisposeAsync()
    {
        await Sets.DisposeAsync();
        await Server.DisposeAsync();
    }
}
