using k8s;
using Mux.Discovery.Kubernetes.Api;
using Mux.Discovery.Kubernetes.Tests.Server;
using Mux.TestSupport.EndToEnd;

namespace Mux.Discovery.Kubernetes.Tests.Access;

/// <summary>What operators read when the API server does not answer as it should.</summary>
public sealed class RefusalTests
{
    private const string Denied = """endpointslices.discovery.k8s.io is forbidden: User "system:serviceaccount:shop:web" cannot list resource "endpointslices" in API group "discovery.k8s.io" in the namespace "prod" """;

    [Fact]
    public async Task A_list_that_is_forbidden_names_the_Role_that_is_needed()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.Status(403, "Forbidden", Denied), 403);
        AssertNamesTheRole((await cluster.Sets.FailureAsync<IOException>()).Message);
    }

    [Fact]
    public async Task A_watch_that_is_forbidden_names_the_Role_that_is_needed()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.List(101));
        await (await cluster.Server.WatchAsync()).AnswerAsync(SliceText.Status(403, "Forbidden", Denied), 403);
        AssertNamesTheRole((await cluster.Sets.FailureAsync<IOException>()).Message);
    }

    [Theory]
    [InlineData(401, "does not accept the credentials (401 Unauthorized): Unauthorized. Expected a token or a client certificate that is still valid.")]
    [InlineData(404, "Expected Kubernetes 1.21 or later, with the API discovery.k8s.io/v1.")]
    [InlineData(429, "answered 429 (Because) when asked for the EndpointSlices of orders.prod: Unauthorized.")]
    [InlineData(410, "answered 410 (Because)")] // of a list: there is no version that could be gone
    [InlineData(503, "answered 503 (Because)")]
    public async Task Other_refusals_say_what_was_asked_and_what_was_answered(int status, string expected)
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.Status(status, "Because", "Unauthorized"), status);
        var message = (await cluster.Sets.FailureAsync<IOException>()).Message;
        Assert.StartsWith($"The Kubernetes API server http://127.0.0.1:{cluster.Server.Address.Port} ", message, StringComparison.Ordinal);
        Assert.Contains(expected, message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_refusal_that_is_no_status_as_from_a_proxy_has_its_number()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync("<html>Bad gateway</html>", 502);
        Assert.Contains("answered 502 (Bad Gateway)", (await cluster.Sets.FailureAsync<IOException>()).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("<html>Log in</html>")]
    [InlineData("""{"kind":"Status","status":"Success"}""")]
    [InlineData("null")]
    public async Task An_answer_that_is_no_list_is_a_failure(string answer)
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(answer);
        Assert.Contains("the answer is not a list of EndpointSlices", (await cluster.Sets.FailureAsync<IOException>()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_page_beyond_the_limit_is_a_failure()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync("{" + new string(' ', ApiServer.MaxBytes));
        Assert.Contains("a page of the list is longer than 16777216 bytes", (await cluster.Sets.FailureAsync<IOException>()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_list_that_takes_30_seconds_is_a_failure()
    {
        await using var cluster = await Cluster.StartAsync();
        var list = await cluster.Server.ListAsync();
        cluster.Time.Advance(ApiServer.AnswerTimeout);
        Assert.Contains("did not answer within 30 s when asked for the EndpointSlices of orders.prod.", (await cluster.Sets.FailureAsync<IOException>()).Message, StringComparison.Ordinal);
        await list.Abandoned.WaitAsync();
    }

    [Fact]
    public async Task A_watch_whose_beginning_takes_30_seconds_is_a_failure()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.List(101));
        await cluster.Server.WatchAsync();
        cluster.Time.Advance(ApiServer.AnswerTimeout);
        Assert.Contains("did not answer within 30 s", (await cluster.Sets.FailureAsync<IOException>()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_API_server_that_is_not_there_is_a_failure_and_the_next_watch_finds_it_again()
    {
        var server = await ScriptedApiServer.StartAsync();
        var address = server.Address;
        await server.DisposeAsync();
        var options = new KubernetesDiscoveryOptions { Configuration = () => new KubernetesClientConfiguration { Host = address.ToString() } };
        var source = new KubernetesEndpointSource("mux+k8s://orders.prod:rpc", options);
        await using var first = new WatchedSource(source, TimeProvider.System);
        Assert.Contains($"The Kubernetes API server http://127.0.0.1:{address.Port} could not be asked for the EndpointSlices of orders.prod: ", (await first.FailureAsync<IOException>()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failed_source_can_be_watched_again()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.Status(403, "Forbidden", Denied), 403);
        await cluster.Sets.FailureAsync<IOException>();

        await using var again = new WatchedSource(cluster.Source, cluster.Time);
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.List(101, new SliceText("orders-a", 90, new Pod("10.0.0.1"))));
        Assert.Equal("mux://10.0.0.1:7070", await again.TextAsync());
    }

    [Fact]
    public async Task No_timer_is_left_behind()
    {
        await using var cluster = await Cluster.StartAsync();
        await cluster.ListedAsync();
        await Eventually.Holds(() => cluster.Time.ArmedTimers == 1, "the limit of silence alone is armed");
        await cluster.Sets.DisposeAsync();
        Assert.Equal(0, cluster.Time.ArmedTimers);
    }

    private static void AssertNamesTheRole(string message)
    {
        Assert.Contains("does not let this account watch the EndpointSlices of orders.prod (403 Forbidden)", message, StringComparison.Ordinal);
        Assert.Contains("system:serviceaccount:shop:web", message, StringComparison.Ordinal);
        Assert.Contains("Add a Role to the namespace 'prod' with apiGroups [discovery.k8s.io], resources [endpointslices] and verbs [list, watch]", message, StringComparison.Ordinal);
    }
}
