using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>A client that serves some methods only to servers that it can be sure of.</summary>
public sealed class ServerIdentityTests : EndToEndTests
{
    private readonly Bouncer _atServer = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_method_with_authorization_is_open_to_a_server_with_a_verified_certificate_alone(TransportKind kind)
    {
        var scene = Begin(kind);
        var (server, channel) = Start(scene);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        var sut = server.Peers.Single().Get<IStrict>();
        string name = await sut.Greet().AsTask().Within("a call that everybody may make");
        if (kind == TransportKind.Tls)
        {
            Assert.Equal(name, await sut.WhoAmI().AsTask().Within("a call of a known server"));
            Assert.NotEqual("nobody", name);
            return;
        }

        var failure = await Assert.ThrowsAsync<MuxException>(() => sut.WhoAmI().AsTask().Within("a call of an unknown server"));
        Assert.Equal((MuxStatus.Unauthenticated, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        Assert.Equal("nobody", name);
    }

    [Theory]
    [InlineData("mux://10.1.2.3:7070")]
    [InlineData("mux+ws://10.1.2.3:7070/mux")]
    [InlineData("mux://10.1.2.3:7070,127.0.0.1:7071")]
    [InlineData("mux+dns://orders.prod:7070")]
    public void A_channel_that_serves_such_a_method_does_not_start_in_plaintext_to_another_machine(string address)
    {
        var options = new MuxChannelOptions { Address = address }.AddService<IStrict>(new Strict());
        var failure = Assert.Throws<ArgumentException>(() => MuxChannel.Create(options));
        Assert.Contains("test.Strict/WhoAmI has [MuxAuthorize]", failure.Message, StringComparison.Ordinal);
        Assert.Contains(address, failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("mux://127.0.0.1:7070")]
    [InlineData("mux+unix:///tmp/mux.sock")]
    [InlineData("muxs://10.1.2.3:7070")]
    [InlineData("mux+wss://10.1.2.3:7070/mux")]
    public void It_starts_on_this_machine_and_with_encryption(string address) =>
        MuxChannel.Create(new MuxChannelOptions { Address = address }.AddService<IStrict>(new Strict())).Dispose();

    [Fact]
    public void A_method_that_requires_a_role_cannot_be_served_by_a_client()
    {
        var options = new MuxChannelOptions().AddService<IRoles>(new Roles());
        var failure = Assert.Throws<ArgumentException>(() => MuxChannel.Create(options));
        Assert.Contains("test.Roles/File requires a policy or a role", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_service_is_added_once()
    {
        var options = new MuxChannelOptions().AddService<IStrict>(new Strict());
        Assert.Throws<InvalidOperationException>(() => options.AddService<IStrict>(new Strict()));
        Assert.Throws<InvalidOperationException>(() => options.AddService(new Strict()));
        Assert.Throws<ArgumentNullException>(() => options.AddService<IBounce>(null!));
    }

    private (MuxServer Server, MuxChannel Channel) Start(Scene scene)
    {
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        return (server, scene.CreateChannel(server, options => options.AddService<IStrict>(new Strict())));
    }

    private sealed class Strict : IStrict
    {
        public ValueTask<string> WhoAmI(MuxCallOptions? options) => new(options!.User?.Identity?.Name ?? "nobody");

        public ValueTask<string> Greet(MuxCallOptions? options) => new(options!.Caller!.User?.Identity?.Name ?? "nobody");
    }

    private sealed class Roles : IRoles
    {
        public ValueTask File() => default;
    }
}
