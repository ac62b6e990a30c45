using Microsoft.Extensions.DependencyInjection;
using Mux.Backplanes;
using Mux.TestSupport.Backplanes;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Peers;

namespace Mux.Tests.Hosting;

/// <summary>Clients of a host that serve something.</summary>
public sealed class PeerHostingTests : HostingTests
{
    [Fact]
    public async Task A_client_of_a_host_connects_says_who_it_is_and_serves()
    {
        var hub = NewServer(out var atServer);
        await using var server = await StartAsync(hub);
        var opened = new Counter("openings");
        var builder = NewHost();
        builder.Services.AddMuxClient(Address, options => options.KeepConnected = true)
            .AddProxy<IBounce>()
            .AddService<IBounce, Talker>()
            .OnOpened(async (peer, token) => await peer.Get<IBounce>().Bounce(0, cancellationToken: token))
            .OnOpened((_, _) =>
            {
                opened.Add();
                return default;
            });
        await using var client = await StartAsync(builder);
        await opened.ReachAsync(1);
        Assert.Equal(3, await atServer.LastCaller!.Get<IBounce>().Bounce(3, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call of the server"));
        Assert.Same(atServer.LastCaller, Assert.Single(server.Services.GetRequiredService<MuxPeers>()));
    }

    [Fact]
    public async Task Groups_are_singletons_of_a_host_with_its_meters()
    {
        var builder = NewHost();
        builder.Services.AddMuxGroup<IBounce>(options => options.Name = "all").AddMuxGroups<string, IBounce>();
        await using var host = await StartAsync(builder);
        var sut = host.Services.GetRequiredService<MuxGroup<IBounce>>();
        Assert.Same(sut, host.Services.GetRequiredService<MuxGroup<IBounce>>());
        Assert.Same(host.Services.GetRequiredService<MuxGroups<string, IBounce>>(), host.Services.GetRequiredService<MuxGroups<string, IBounce>>());
        await sut.All.Tell("nobody");
        Assert.Equal(new MuxGroupStatistics(1, 0, 0, 0, 0), sut.GetStatistics());
    }

    [Fact]
    public async Task Clients_can_be_called_from_other_servers_though_no_code_of_theirs_asks_for_it()
    {
        var backplane = new MemoryBackplane(new MemoryHub());
        var hub = NewServer(out _);
        hub.Services.AddSingleton<MuxBackplane>(backplane).AddMuxPeers<IBounce>(peers => peers.IsShared = true);
        await using var server = await StartAsync(hub);
        var builder = NewHost();
        builder.Services.AddMuxClient(Address, options => options.KeepConnected = true).AddProxy<IBounce>();
        await using var client = await StartAsync(builder);
        await Eventually.Holds(() => backplane.Subscriptions == 1, "the server to listen to calls by id");
        Assert.Same(server.Services.GetRequiredService<MuxPeers<IBounce>>(), server.Services.GetRequiredService<MuxPeers<IBounce>>());
    }

    [Fact]
    public async Task A_service_for_each_call_has_its_scope_and_its_context()
    {
        var hub = NewServer(out var atServer);
        await using var server = await StartAsync(hub);
        var builder = NewHost();
        builder.Services.AddScoped<Part>();
        builder.Services.AddKeyedMuxClient("hub", Address).AddScopedService<IBounce, ScopedTalker>().AddCallContext();
        await using var client = await StartAsync(builder);
        await client.Services.GetRequiredKeyedService<MuxChannel>("hub").CreateProxy<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken);
        var sut = atServer.LastCaller!.Get<IBounce>();
        Assert.NotEqual(await sut.Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call"), await sut.Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("another call"));
    }

    [Fact]
    public async Task A_host_does_not_start_with_a_client_service_that_cannot_be_created()
    {
        var builder = NewHost();
        builder.Services.AddKeyedMuxClient("hub", Address).AddService<IBounce, ScopedTalker>();
        var failure = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Contains("IBounce cannot be served by the client 'hub'", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Part", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_contract_is_served_once_by_each_client()
    {
        var services = NewHost().Services;
        services.AddKeyedMuxClient("one", Address).AddService<IBounce, Talker>();
        services.AddKeyedMuxClient("two", Address).AddService<IBounce, Talker>();
        Assert.Throws<InvalidOperationException>(() => services.AddKeyedMuxClient("one", Address).AddService<IBounce, Talker>());
    }

    private Microsoft.Extensions.Hosting.HostApplicationBuilder NewServer(out Bouncer atServer)
    {
        var builder = NewHost();
        var bouncer = atServer = new Bouncer();
        builder.Services.AddSingleton(bouncer);
        builder.Services.AddMuxServer(Address, options => options.AllowPlaintext = true).AddService<IBounce, Bouncer>();
        return builder;
    }

    internal sealed class Part
    {
        private static int s_made;

        public int Number { get; } = Interlocked.Increment(ref s_made);
    }

    /// <summary>Needs a proxy of the client that serves it.</summary>
    internal sealed class Talker(IBounce server) : Bounces
    {
        public override ValueTask<int> Bounce(int timesLeft, MuxCallOptions? options, CancellationToken cancellationToken) => timesLeft == 0
            ? new(0)
            : BounceOn(timesLeft, cancellationToken);

        private async ValueTask<int> BounceOn(int timesLeft, CancellationToken cancellationToken) => 1 + await server.Bounce(timesLeft - 1, cancellationToken: cancellationToken);
    }

    internal sealed class ScopedTalker(Part part) : Bounces
    {
        public override ValueTask<int> Bounce(int timesLeft, MuxCallOptions? options, CancellationToken cancellationToken)
        {
            Assert.NotNull(MuxCallContext.Current!.Caller);
            return new(part.Number);
        }
    }

    internal abstract class Bounces : IBounce
    {
        public abstract ValueTask<int> Bounce(int timesLeft, MuxCallOptions? options, CancellationToken cancellationToken);

        public ValueTask Tell(string text) => default;

        public IAsyncEnumerable<int> Count(int last, CancellationToken cancellationToken) => AsyncEnumerable.Empty<int>();

        public ValueTask<byte[]> Echo(byte[] bytes, CancellationToken cancellationToken) => new(bytes);

        public ValueTask<double> TimeLeft(MuxCallOptions? options) => new(0);
    }
}
