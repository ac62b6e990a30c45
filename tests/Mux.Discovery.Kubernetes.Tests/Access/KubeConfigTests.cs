using System.Security.Cryptography.X509Certificates;
using System.Text;
using k8s;
using Mux.Discovery.Kubernetes.Tests.Server;
using Mux.TestSupport.Transports.Tls;

namespace Mux.Discovery.Kubernetes.Tests.Access;

/// <summary>A client outside of the cluster, by the kubeconfig loader of KubernetesClient.</summary>
public sealed class KubeConfigTests
{
    [Fact]
    public async Task The_current_context_says_server_authority_token_and_namespace()
    {
        await using var server = await ScriptedApiServer.StartAsync(TestAuthority.Shared.Issue(new CertificateWish { Host = "localhost" }));
        await using var sets = Watch(server, "    token: from-kubeconfig");
        var list = await server.ListAsync();
        Assert.Equal("Bearer from-kubeconfig", list.Authorization);
        Assert.Equal("/apis/discovery.k8s.io/v1/namespaces/staging/endpointslices", list.Path);
        await list.AnswerAsync(SliceText.List(101, new SliceText("orders-a", 90, new Pod("10.0.0.1"))));
        Assert.Equal("mux://10.0.0.1:7070", await sets.TextAsync());
    }

    [Fact]
    public async Task A_client_certificate_is_presented()
    {
        X509Certificate2? presented = null;
        var certificate = TestAuthority.Shared.Issue(new CertificateWish { Host = "developer" });
        await using var server = await ScriptedApiServer.StartAsync(
            TestAuthority.Shared.Issue(new CertificateWish { Host = "localhost" }), client => presented = client);
        await using var sets = Watch(server,
            $"    client-certificate-data: {Base64(certificate.ExportCertificatePem())}\n    client-key-data: {Base64(certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem())}");
        await (await server.ListAsync()).AnswerAsync(SliceText.List(101));
        await sets.NextAsync();
        Assert.Equal(certificate.Thumbprint, presented?.Thumbprint);
    }

    [Fact]
    public async Task The_name_that_the_context_sets_for_TLS_is_expected_in_the_certificate()
    {
        await using var server = await ScriptedApiServer.StartAsync(TestAuthority.Shared.Issue(new CertificateWish { Host = "api.internal" }));
        await using var sets = Watch(server, "    token: from-kubeconfig", "\n    tls-server-name: api.internal");
        await server.ListAsync();
    }

    [Fact]
    public async Task A_server_behind_a_path_is_asked_there()
    {
        await using var server = await ScriptedApiServer.StartAsync();
        var options = new KubernetesDiscoveryOptions { Configuration = () => new KubernetesClientConfiguration { Host = $"{server.Address}k8s/clusters/c-1/" } };
        await using var sets = new WatchedSource(new KubernetesEndpointSource("mux+k8s://orders.prod:rpc", options), TimeProvider.System);
        Assert.Equal("/k8s/clusters/c-1/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices", (await server.ListAsync()).Path);
    }

    [Fact]
    public async Task A_configuration_without_an_address_is_a_failure()
    {
        var options = new KubernetesDiscoveryOptions { Configuration = () => new KubernetesClientConfiguration { Host = "unix:/run/api" } };
        await using var sets = new WatchedSource(new KubernetesEndpointSource("mux+k8s://orders.prod:rpc", options), TimeProvider.System);
        Assert.Equal("The configuration of Kubernetes has the host 'unix:/run/api': expected an https or http address.", (await sets.FailureAsync<InvalidOperationException>()).Message);
    }

    [Fact]
    public async Task The_configuration_is_loaded_again_for_each_watch()
    {
        await using var server = await ScriptedApiServer.StartAsync();
        int loaded = 0;
        var options = new KubernetesDiscoveryOptions
        {
            Configuration = () => new KubernetesClientConfiguration { Host = server.Address.ToString(), AccessToken = $"token-{++loaded}" },
        };
        var source = new KubernetesEndpointSource("mux+k8s://orders.prod:rpc", options);
        await using var first = new WatchedSource(source, TimeProvider.System);
        await (await server.ListAsync()).AnswerAsync(SliceText.Status(401, "Unauthorized", "Unauthorized"), 401);
        await first.FailureAsync<IOException>();
        await using var second = new WatchedSource(source, TimeProvider.System);
        Assert.Equal("Bearer token-2", (await server.ListAsync()).Authorization);
    }

    private static WatchedSource Watch(ScriptedApiServer server, string user, string cluster = "")
    {
        var text = $"""
            apiVersion: v1
            kind: Config
            current-context: dev
            clusters:
            - name: cluster
              cluster:
                server: https://localhost:{server.Address.Port}
                certificate-authority-data: {Base64(TestAuthority.Shared.RootPem)}{cluster}
            contexts:
            - name: dev
              context:
                cluster: cluster
                user: developer
                namespace: staging
            users:
            - name: developer
              user:
            {user}
            """;
        var options = new KubernetesDiscoveryOptions
        {
            Configuration = () => KubernetesClientConfiguration.BuildConfigFromConfigFile(new MemoryStream(Encoding.UTF8.GetBytes(text))),
        };
        return new WatchedSource(new KubernetesEndpointSource("mux+k8s://orders:rpc", options), TimeProvider.System);
    }

    private static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));
}
