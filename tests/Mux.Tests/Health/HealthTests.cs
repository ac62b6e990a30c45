using System.Security.Cryptography;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Health;

/// <summary>The service with which a server says whether it serves.</summary>
public sealed class HealthTests : EndToEndTests
{
    private static readonly TimeSpan s_delay = TimeSpan.FromSeconds(5);

    private readonly ManualTime _time = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_serves_says_so_of_itself_and_of_each_service(TransportKind kind)
    {
        var sut = Connect(Begin(kind), out _);
        foreach (var service in new[] { string.Empty, "test.Desk", "grpc.health.v1.Health" }) Assert.Equal(HealthCheckResponse.Serving, await CheckAsync(sut, service));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Its_bytes_are_those_of_gRPC()
    {
        var scene = Begin(TransportKind.InMemory);
        var channel = scene.CreateChannel(scene.StartServer(static server => server.AddService<IDesk>(new Desk())));
        var check = channel.CreateRawCaller("grpc.health.v1.Health", "Check");
        Assert.Equal([0x08, 0x01], await check.CallAsync("\n\u0009test.Desk"u8.ToArray(), cancellationToken: TestContext.Current.CancellationToken));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_service_that_is_not_served_is_not_found_by_a_check_and_watched_as_unknown()
    {
        var sut = Connect(Begin(TransportKind.InMemory), out var server);
        var failure = await Assert.ThrowsAsync<MuxException>(() => CheckAsync(sut, "test.Nothing"));
        Assert.Equal(MuxStatus.NotFound, failure.Status);
        await using var watch = Watch(sut, "test.Nothing");
        Assert.Equal(HealthCheckResponse.ServiceUnknown, await NextAsync(watch));
        var next = watch.MoveNextAsync().AsTask();
        await server.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the server");
        Assert.False(await next.Within("the end of the watch"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_leaves_tells_those_who_watch_and_those_who_ask_and_ends_the_watches_when_it_drains()
    {
        var sut = Connect(Begin(TransportKind.InMemory, _time), out var server, options => options.StopDelay = s_delay);
        await using var ofServer = Watch(sut, string.Empty);
        await using var ofService = Watch(sut, "test.Desk");
        Assert.Equal((HealthCheckResponse.Serving, HealthCheckResponse.Serving), (await NextAsync(ofServer), await NextAsync(ofService)));

        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        Assert.Equal((HealthCheckResponse.NotServing, HealthCheckResponse.NotServing), (await NextAsync(ofServer), await NextAsync(ofService)));
        Assert.Equal(HealthCheckResponse.NotServing, await CheckAsync(sut, string.Empty));
        await using var late = Watch(sut, "test.Desk");
        Assert.Equal(HealthCheckResponse.NotServing, await NextAsync(late));
        var next = late.MoveNextAsync().AsTask();
        Assert.False(stopping.IsCompleted);

        _time.Advance(s_delay); // and not the time that calls have to finish
        await stopping.Within("the stop of the server");
        Assert.False(await next.Within("the end of the watch"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_disposal_that_does_not_wait_leaves_no_watch()
    {
        var sut = Connect(Begin(TransportKind.InMemory), out var server);
        await using var watch = Watch(sut, string.Empty);
        Assert.Equal(HealthCheckResponse.Serving, await NextAsync(watch));
        server.Dispose();
        await Eventually.Holds(() => server.GetStatistics() is { CallsStarted: 1, CallsCompleted: 1 }, "the end of the watch");
    }

    [Fact(Timeout = TestLimit)]
    public async Task One_connection_has_a_limited_number_of_watches_and_gets_back_the_place_of_one_that_ends()
    {
        var sut = Connect(Begin(TransportKind.InMemory), out _);
        var watches = Enumerable.Range(0, 16).Select(_ => Watch(sut, string.Empty)).ToList();
        foreach (var watch in watches) Assert.Equal(HealthCheckResponse.Serving, await NextAsync(watch));
        await using (var above = Watch(sut, string.Empty))
        {
            Assert.Equal(MuxStatus.ResourceExhausted, (await Assert.ThrowsAsync<MuxException>(() => NextAsync(above))).Status);
        }

        Assert.Equal(HealthCheckResponse.Serving, await CheckAsync(sut, string.Empty));
        await watches[0].DisposeAsync();
        while (!await TryWatchAsync(sut)) await Task.Yield(); // the server learns of the end a moment later
        foreach (var watch in watches) await watch.DisposeAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_without_health_refuses_the_method()
    {
        var sut = Connect(Begin(TransportKind.InMemory), out _, static options => options.EnableHealth = false);
        Assert.Equal(MuxStatus.Unimplemented, (await Assert.ThrowsAsync<MuxException>(() => CheckAsync(sut, string.Empty))).Status);
    }

    /// <summary>And its presence makes no other method open to them.</summary>
    [Fact(Timeout = TestLimit)]
    public async Task Clients_without_an_identity_may_ask_where_they_may_connect()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IDesk>(new Desk()), static options =>
        {
            options.Identity = new MuxIdentityOptions { AllowAnonymous = true };
            options.Identity.SharedKeys.Add(new SharedKey("clerk", RandomNumberGenerator.GetBytes(32)));
        });
        var channel = scene.CreateChannel(server);
        Assert.Equal(HealthCheckResponse.Serving, await CheckAsync(channel.CreateProxy<IHealth>(), "test.Desk"));
        var denied = await Assert.ThrowsAsync<MuxException>(() => channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask());
        Assert.Equal(MuxStatus.Unauthenticated, denied.Status);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_service_of_the_user_with_this_name_takes_its_place()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IHealth>(new OwnHealth()));
        Assert.Equal(0, await CheckAsync(scene.CreateChannel(server).CreateProxy<IHealth>(), string.Empty));
    }

    [Fact(Timeout = TestLimit)]
    public void The_log_of_a_server_names_the_services_of_the_user_alone()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.StartServer(static server => server.AddService<IDesk>(new Desk()));
        scene.StartServer(static _ => { });
        Assert.DoesNotContain(scene.Logs.Entries, static entry => entry.Text.Contains("grpc.health", StringComparison.Ordinal));
        Assert.Single(scene.Logs.Of("ServerServesNothing"));
    }

    private static IHealth Connect(Scene scene, out MuxServer server, Action<MuxServerOptions>? configure = null)
    {
        server = scene.StartServer(static server => server.AddService<IDesk>(new Desk()), configure);
        return scene.CreateChannel(server).CreateProxy<IHealth>();
    }

    private static async Task<int> CheckAsync(IHealth sut, string service) => (await sut.Check(new HealthCheckRequest { Service = service })).Status;

    private static IAsyncEnumerator<HealthCheckResponse> Watch(IHealth sut, string service) =>
        sut.Watch(new HealthCheckRequest { Service = service }, TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);

    private static async Task<int> NextAsync(IAsyncEnumerator<HealthCheckResponse> watch)
    {
        Assert.True(await watch.MoveNextAsync().AsTask().Within("a status"));
        return watch.Current.Status;
    }

    private static async Task<bool> TryWatchAsync(IHealth sut)
    {
        await using var watch = Watch(sut, string.Empty);
        try
        {
            return await NextAsync(watch) == HealthCheckResponse.Serving;
        }
        catch (MuxException error) when (error.Status == MuxStatus.ResourceExhausted)
        {
            return false;
        }
    }
}
