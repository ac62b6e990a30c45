using k8s;
using Microsoft.Extensions.DependencyInjection;
using Mux.Discovery.Kubernetes.Tests.Server;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Discovery.Kubernetes.Tests.Channels;

/// <summary>
/// A channel with an address of Kubernetes: real servers, and callers that must not notice what happens to them. The API server is played. The pods are addresses of loopback
/// with one port, as pods have it.
/// </summary>
public sealed class ChannelTests : IAsyncDisposable
{
    private const int TestLimit = 120_000;
    private const int CallerCount = 8;

    private readonly List<MuxServer> _servers = [];
    private int _version = 101;
    private int _port;

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers) await server.DisposeAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task No_call_fails_while_a_rolling_update_replaces_every_pod()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has all of 127.0.0.0/8.");
        await using var api = await ScriptedApiServer.StartAsync();
        MuxServer[] old = [StartPod(2), StartPod(3)];
        await using var services = Connect(api);
        var channel = services.GetRequiredService<MuxChannel>();
        var connecting = channel.ConnectAsync(TestContext.Current.CancellationToken);
        await (await api.ListAsync()).AnswerAsync(SliceText.List(_version, Slice(PodOf(2), PodOf(3))));
        var watch = await OpenAsync(api);
        await connecting.WaitAsync(TestContext.Current.CancellationToken);
        var desk = services.GetRequiredService<IDesk>();
        await using var callers = new Callers(CallerCount, async () => await desk.AskPlainly(new Question()));
        await callers.PassAsync(200);

        StartPod(4);
        await watch.SendAsync(Slice(PodOf(2), PodOf(3), PodOf(4)).Modified);
        await IsOpenAsync(channel, 4);
        await watch.SendAsync(Slice(PodOf(2).Leaving, PodOf(3), PodOf(4)).Modified);
        await old[0].StopAsync(TestContext.Current.CancellationToken);
        await watch.SendAsync(Slice(PodOf(3), PodOf(4)).Modified);
        await callers.PassAsync(200);

        watch.Break(); // the connection to the API server is lost; the pods are not
        StartPod(5);
        watch = await OpenAsync(api);
        await watch.SendAsync(SliceText.Gone); // and it has forgotten the version
        await (await api.ListAsync()).AnswerAsync(SliceText.List(++_version, Slice(PodOf(3), PodOf(4), PodOf(5))));
        watch = await OpenAsync(api);
        await IsOpenAsync(channel, 5);
        await watch.SendAsync(Slice(PodOf(3).Leaving, PodOf(4), PodOf(5)).Modified);
        await old[1].StopAsync(TestContext.Current.CancellationToken);
        await watch.SendAsync(Slice(PodOf(4), PodOf(5)).Modified);
        await Eventually.Holds(() => channel.GetEndpoints().Count == 2, "the new pods alone");
        await callers.PassAsync(200);
        await callers.EndAsync().Within("the callers");
        Assert.Empty(callers.Failures);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_pod_that_dies_fails_at_most_the_calls_that_it_had()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has all of 127.0.0.0/8.");
        await using var api = await ScriptedApiServer.StartAsync();
        var dying = StartPod(2);
        StartPod(3);
        await using var services = Connect(api);
        var channel = services.GetRequiredService<MuxChannel>();
        var connecting = channel.ConnectAsync(TestContext.Current.CancellationToken);
        await (await api.ListAsync()).AnswerAsync(SliceText.List(_version, Slice(PodOf(2), PodOf(3))));
        var watch = await OpenAsync(api);
        await connecting.WaitAsync(TestContext.Current.CancellationToken);
        var desk = services.GetRequiredService<IDesk>();
        await using var callers = new Callers(CallerCount, async () => await desk.AskPlainly(new Question()));
        await IsOpenAsync(channel, 2);
        await callers.PassAsync(200);

        dying.Dispose(); // its connections end at once, with their calls
        await Eventually.Holds(() => !channel.GetEndpoints().Any(known => known.IsOpen && IsPod(known, 2)), "the loss of the connection");
        await callers.PassAsync(500);
        await watch.SendAsync(Slice(PodOf(2).Unready, PodOf(3)).Modified);
        await Eventually.Holds(() => channel.GetEndpoints().Count == 1, "the other pod alone");
        await callers.PassAsync(200);
        await callers.EndAsync().Within("the callers");
        Assert.InRange(callers.Failures.Length, 0, CallerCount);
    }

    private static ServiceProvider Connect(ScriptedApiServer api)
    {
        var services = new ServiceCollection();
        services.AddMuxClient("mux+k8s://orders.prod:rpc", options => options.AllowPlaintext = true)
            .UseKubernetes(options => options.Configuration = () => new KubernetesClientConfiguration { Host = api.Address.ToString(), Namespace = "prod" })
            .AddProxy<IDesk>();
        return services.BuildServiceProvider();
    }

    private static async Task<ApiRequest> OpenAsync(ScriptedApiServer api)
    {
        var watch = await api.WatchAsync();
        await watch.OpenAsync();
        return watch;
    }

    private static Pod PodOf(int number) => new($"127.0.0.{number}");

    private static Task IsOpenAsync(MuxChannel channel, int pod) => Eventually.Holds(
        () => channel.GetEndpoints().Any(known => known.IsOpen && IsPod(known, pod)), () => $"a connection to pod {pod}; there are {string.Join(", ", channel.GetEndpoints())}");

    private static bool IsPod(MuxEndpointStatus known, int pod) => known.Endpoint.Address.Host == $"127.0.0.{pod}";

    private SliceText Slice(params Pod[] pods) => new("orders-abc", ++_version, pods) { Ports = [("rpc", _port, "TCP")] };

    private MuxServer StartPod(int number)
    {
        var server = new MuxServer(new MuxServerOptions { Address = $"mux://127.0.0.{number}:{_port}", AllowPlaintext = true }).AddService<IDesk>(new EchoDesk());
        server.Start();
        _servers.Add(server);
        _port = server.Address.Port;
        return server;
    }

    private sealed class EchoDesk : IDesk
    {
        public ValueTask<Answer> AskPlainly(Question question) => new(new Answer { Id = question.Id });

        public ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken) => AskPlainly(question);

        public ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken) => AskPlainly(question);

        public ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken) => AskPlainly(question);

        public ValueTask Tell(Question question, CancellationToken cancellationToken) => default;
    }
}
