using Mux.Discovery.Kubernetes.Api;
using Mux.Discovery.Kubernetes.Tests.Server;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports.Tls;

namespace Mux.Discovery.Kubernetes.Tests.Access;

/// <summary>A client in a pod: its token, its certificate authority, its namespace. By HTTPS, as in a cluster.</summary>
public sealed class PodTests : IAsyncLifetime
{
    private readonly PodFiles _files = new();
    private readonly ManualTime _time = new();
    private ScriptedApiServer _server = null!;

    public async ValueTask InitializeAsync() => _server = await ScriptedApiServer.StartAsync(TestAuthority.Shared.Issue(new CertificateWish { Host = "localhost" }));

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _files.Dispose();
    }

    [Fact]
    public async Task The_account_of_the_pod_is_used()
    {
        await using var sets = Watch("mux+k8s://orders:rpc");
        var list = await _server.ListAsync();
        Assert.Equal("Bearer token-1", list.Authorization);
        Assert.Equal("/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices", list.Path); // the namespace of the pod
        await list.AnswerAsync(SliceText.List(101, new SliceText("orders-a", 90, new Pod("10.0.0.1"))));
        Assert.Equal("mux://10.0.0.1:7070", await sets.TextAsync());
        Assert.Equal("Bearer token-1", (await _server.WatchAsync()).Authorization);
    }

    [Fact]
    public async Task Certificates_of_servers_have_the_name_of_the_service_in_the_namespace_of_the_pod()
    {
        await using var sets = Watch("muxs+k8s://orders:rpc");
        await (await _server.ListAsync()).AnswerAsync(SliceText.List(101, new SliceText("orders-a", 90, new Pod("10.0.0.1"))));
        Assert.Equal("muxs://10.0.0.1:7070?name=orders.prod.svc", await sets.TextAsync());
    }

    [Fact]
    public async Task The_namespace_of_the_target_comes_first()
    {
        await using var sets = Watch("mux+k8s://orders.other:rpc");
        Assert.Equal("/apis/discovery.k8s.io/v1/namespaces/other/endpointslices", (await _server.ListAsync()).Path);
    }

    [Fact]
    public async Task Without_any_namespace_it_is_default()
    {
        File.Delete(_files.PathOf("namespace"));
        await using var sets = Watch("mux+k8s://orders:rpc");
        Assert.Equal("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", (await _server.ListAsync()).Path);
    }

    [Fact]
    public async Task The_token_is_read_again_each_minute()
    {
        await using var sets = Watch("mux+k8s://orders:rpc");
        await (await _server.ListAsync()).AnswerAsync(SliceText.List(101));
        await sets.NextAsync();
        var watch = await _server.WatchAsync();
        await watch.OpenAsync();
        await watch.SendAsync(new SliceText("orders-a", 102, new Pod("10.0.0.1")).Added);
        await sets.NextAsync(); // the answer has begun, so only silence is limited
        _files.Token = "token-2";
        _time.Advance(TimeSpan.FromSeconds(59));
        watch.End();

        var second = await _server.WatchAsync();
        Assert.Equal("Bearer token-1", second.Authorization);
        await second.OpenAsync();
        _time.Advance(Cluster.AWhile);
        second.End();
        Assert.Equal("Bearer token-2", (await _server.WatchAsync()).Authorization);
    }

    [Fact]
    public async Task A_token_that_is_not_accepted_is_read_again_at_once()
    {
        await using var sets = Watch("mux+k8s://orders:rpc");
        await (await _server.ListAsync()).AnswerAsync(SliceText.List(101));
        var watch = await _server.WatchAsync();
        _files.Token = "token-2";
        await watch.AnswerAsync(SliceText.Status(401, "Unauthorized", "Unauthorized"), 401);

        var second = await _server.WatchAsync();
        Assert.Equal("Bearer token-2", second.Authorization);
        Assert.Equal("101", second.Query["resourceVersion"]);
        await second.OpenAsync();
        await second.SendAsync(new SliceText("orders-a", 102, new Pod("10.0.0.1")).Added);
        await sets.NextAsync();
        Assert.Equal("mux://10.0.0.1:7070", await sets.TextAsync());
    }

    [Fact]
    public async Task A_token_that_is_refused_twice_is_a_failure_that_does_not_contain_it()
    {
        await using var sets = Watch("mux+k8s://orders:rpc");
        for (int i = 0; i < 2; i++) await (await _server.ListAsync()).AnswerAsync(SliceText.Status(401, "Unauthorized", "Unauthorized"), 401);
        var failure = await sets.FailureAsync<IOException>();
        Assert.Contains("does not accept the credentials (401 Unauthorized)", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("token-1", failure.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("two words")]
    public async Task A_file_that_is_no_token_is_named_and_not_shown(string content)
    {
        _files.Token = content;
        await using var sets = Watch("mux+k8s://orders:rpc");
        var failure = await sets.FailureAsync<IOException>();
        Assert.Contains($"The file '{_files.PathOf("token")}' is not a token", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("two words", failure.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_API_server_of_another_authority_is_refused()
    {
        _files.Write("ca.crt", new TestAuthority().RootPem);
        await using var sets = Watch("mux+k8s://orders:rpc");
        Assert.Contains("could not be asked", (await sets.FailureAsync<IOException>()).Message, StringComparison.Ordinal);
        Assert.Equal(0, _server.Waiting);
    }

    [Fact]
    public async Task A_pod_without_an_authority_trusts_nobody()
    {
        _files.Write("ca.crt", string.Empty);
        await using var sets = Watch("mux+k8s://orders:rpc");
        Assert.Equal($"The file '{_files.PathOf("ca.crt")}' contains no certificate: expected the authority of the API server, as PEM.", (await sets.FailureAsync<InvalidDataException>()).Message);
    }

    [Fact]
    public async Task A_certificate_of_the_authority_with_another_name_is_refused()
    {
        await using var other = await ScriptedApiServer.StartAsync(TestAuthority.Shared.Issue(new CertificateWish { Host = "kubelet.example" }));
        await using var sets = new WatchedSource(Source("mux+k8s://orders:rpc", other), _time);
        Assert.Contains("RemoteCertificateNameMismatch", (await sets.FailureAsync<IOException>()).Message, StringComparison.Ordinal);
        Assert.Equal(0, other.Waiting);
    }

    [Fact]
    public async Task A_new_authority_is_read_by_the_next_watch()
    {
        _files.Write("ca.crt", new TestAuthority().RootPem);
        var source = Source("mux+k8s://orders:rpc", _server);
        await using (var sets = new WatchedSource(source, _time)) await sets.FailureAsync<IOException>();
        _files.Write("ca.crt", TestAuthority.Shared.RootPem);
        await using var again = new WatchedSource(source, _time);
        await _server.ListAsync();
    }

    [Theory]
    [InlineData("10.96.0.1", "https://10.96.0.1:443/")]
    [InlineData("fd00:10:96::1", "https://[fd00:10:96::1]:443/")]
    public void The_API_server_of_a_pod_may_have_either_family(string host, string expected) =>
        Assert.Equal(new Uri(expected), new Uri((_files.AccountAt(new Uri("https://localhost")) with { Host = host, Port = "443" }).Load(_time).Host));

    [Fact]
    public async Task Outside_of_a_cluster_and_without_kubeconfig_the_error_names_what_is_expected()
    {
        Assert.SkipWhen(Environment.GetEnvironmentVariable("KUBECONFIG") is not null || File.Exists(k8s.KubernetesClientConfiguration.KubeConfigDefaultLocation), "This machine has a kubeconfig file.");
        var source = new KubernetesEndpointSource(KubernetesTarget.Parse("mux+k8s://orders:rpc"), new KubernetesDiscoveryOptions(), _time, new ServiceAccount(null, null, "/nowhere"));
        await using var sets = new WatchedSource(source, _time);
        var failure = await sets.FailureAsync<InvalidOperationException>();
        Assert.StartsWith("There is no cluster to ask. Expected a pod with a mounted service account", failure.Message, StringComparison.Ordinal);
        Assert.Contains("KUBECONFIG", failure.Message, StringComparison.Ordinal);
    }

    private WatchedSource Watch(string target) => new(Source(target, _server), _time);

    private KubernetesEndpointSource Source(string target, ScriptedApiServer server) =>
        new(KubernetesTarget.Parse(target), new KubernetesDiscoveryOptions(), _time, _files.AccountAt(new Uri($"https://localhost:{server.Address.Port}")));
}
