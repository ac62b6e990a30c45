using System.Net.Sockets;
using System.Security.Claims;
using System.Security.Cryptography;
using Mux.Engine;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Contracts;
using Mux.Transports;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;

namespace Mux.Tests.EndToEnd;

/// <summary>Servers that a channel with a credential does not talk to.</summary>
public sealed class CautiousClientTests : EndToEndTests
{
    private const string Elsewhere = "192.0.2.7:7070";

    private static readonly SharedKey s_key = new("clerk-1", RandomNumberGenerator.GetBytes(32), "clerk");

    public static TheoryData<string> Kinds => ["shared key", "bearer"];

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task Another_machine_without_TLS_is_not_even_dialed_and_the_message_names_address_credential_and_option(string kind)
    {
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var channel = scene.CreateChannel(MuxAddress.Parse("mux://192.0.2.7:7070"), options => (options.Credentials, options.Transport) = (Make(kind), new SocketTransport()));
        await AssertWithheld(kind, "mux://192.0.2.7:7070", () => channel.CreateProxy<IGuarded>().WhoAmI().AsTask());
        await channel.DisposeAsync();
        scene.DialsElsewhere = scene.Logs.Of("ClientConnectFailed").Count; // two, if the first ended before the call was added to it
        Assert.InRange(scene.DialsElsewhere, 1, 2);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task A_connection_that_leads_to_another_machine_than_its_address_says_ends_before_a_byte_is_sent(string kind)
    {
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.UnionWith([CloseReason.AuthFailed, CloseReason.ConnectionLost, CloseReason.Disposed]); // the server may be stopped before it hears that the client left
        var server = StartServer(scene);
        var disguise = new DisguisedTransport(scene.Transport, Elsewhere);
        var sut = scene.CreateChannel(server, options => (options.Credentials, options.Transport) = (Make(kind), disguise)).CreateProxy<IGuarded>();
        await AssertWithheld(kind, $"{server.Address} ({Elsewhere})", () => sut.WhoAmI().AsTask());
        Assert.Equal(0, disguise.SentBytes);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task With_AllowPlaintext_another_machine_is_shown_the_credential_without_TLS(string kind)
    {
        var scene = Begin(TransportKind.Tcp);
        var server = StartServer(scene);
        var sut = scene.CreateChannel(server, options => (options.Credentials, options.Transport, options.AllowPlaintext) = (Make(kind), new DisguisedTransport(scene.Transport, Elsewhere), true)).CreateProxy<IGuarded>();
        Assert.Equal("clerk-1", await sut.WhoAmI());
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task A_transport_of_others_that_does_not_encrypt_at_a_TLS_address_is_not_shown_the_credential(string kind)
    {
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.UnionWith([CloseReason.AuthFailed, CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = StartServer(scene);
        var bare = StreamTransport.Connecting((_, cancellationToken) => ConnectAsync(server.Address, cancellationToken));
        var disguise = new DisguisedTransport(bare, Elsewhere);
        var address = MuxAddress.Parse("muxs://orders.example:7070");
        var channel = scene.CreateChannel(address, options => (options.Credentials, options.Transport) = (Make(kind), disguise));
        await AssertWithheld(kind, $"{address} ({Elsewhere})", () => channel.CreateProxy<IGuarded>().WhoAmI().AsTask());
        Assert.Equal(0, disguise.SentBytes);
        await channel.DisposeAsync();
        scene.DialsElsewhere = scene.Logs.Of("ClientConnectFailed").Count; // the scene does not see links of this transport
    }

    [Fact(Timeout = TestLimit)]
    public async Task Over_TLS_another_machine_is_shown_the_credential()
    {
        var scene = Begin(TransportKind.Tls);
        var server = StartServer(scene);
        var sut = scene.CreateChannel(server, options => (options.Credentials, options.Transport) = (Make("shared key"), new DisguisedTransport(scene.Transport, Elsewhere))).CreateProxy<IGuarded>();
        Assert.Equal("clerk-1", await sut.WhoAmI());
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_does_not_ask_for_the_credential_gets_no_call_unless_the_options_allow_it(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var desk = new Desk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var refused = scene.CreateChannel(server, options => options.Credentials = Make("shared key"));
        var failure = await AssertFails(() => refused.CreateProxy<IDesk>().AskPlainly(new Question { Id = 5 }).AsTask());
        AssertSays(failure, server.Address.ToString(), "proof of the shared key 'clerk-1'", "RequireChallenge");
        AssertSays(await AssertFails(() => refused.ConnectAsync(TestContext.Current.CancellationToken)), server.Address.ToString(), "RequireChallenge");

        var allowed = scene.CreateChannel(server, options => (options.Credentials, options.RequireChallenge) = (Make("shared key"), false));
        Assert.Equal(5, (await allowed.CreateProxy<IDesk>().AskPlainly(new Question { Id = 5 })).Id);
        await Eventually.Holds(() => scene.Logs.Of("ServerConnectionClosed").Any(entry => entry.Text.Contains("was not asked for it", StringComparison.Ordinal)), () => "the server's word of it");
        Assert.Equal(1, server.GetStatistics().CallsStarted);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_knows_its_clients_by_the_transport_takes_one_with_a_credential_that_requires_no_challenge()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "SO_PEERCRED is Linux's.");
        var scene = Begin(TransportKind.Unix);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var server = StartServer(scene, identity => identity.TrustTransport = true);
        await AssertFails(() => scene.CreateChannel(server, options => options.Credentials = Make("shared key")).CreateProxy<IGuarded>().WhoAmI().AsTask());
        var sut = scene.CreateChannel(server, options => (options.Credentials, options.RequireChallenge) = (Make("shared key"), false)).CreateProxy<IGuarded>();
        Assert.Matches("^uid [0-9]+$", await sut.WhoAmI());
    }

    private static async ValueTask<StreamConnection> ConnectAsync(MuxAddress server, CancellationToken cancellationToken)
    {
        var client = new TcpClient();
        await client.ConnectAsync(server.Host, server.Port, cancellationToken);
        return StreamConnection.Over(client.GetStream());
    }

    private static MuxCredentials Make(string kind) => kind == "bearer" ? new BearerCredentials(static _ => new("token of clerk-1")) : new SharedKeyCredentials(s_key);

    private static MuxServer StartServer(Scene scene, Action<MuxIdentityOptions>? configure = null) => scene.StartServer(server => server.AddService<IGuarded>(new Guarded()), options =>
    {
        options.Identity = new MuxIdentityOptions { SharedKeys = { s_key }, Policies = { ["adult"] = static user => user.IsInRole("manager") } };
        options.Identity.Authenticators.Add(new BearerAuthenticator(static (_, _) => new(AuthenticationResult.Success(new PeerIdentity(new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "clerk-1")], "bearer")))))));
        configure?.Invoke(options.Identity);
    });

    private static async Task AssertWithheld(string kind, string place, Func<Task> call) =>
        AssertSays(await AssertFails(call), $"The {(kind == "bearer" ? "bearer token" : "proof of the shared key 'clerk-1'")} is not sent to {place}", "AllowPlaintext");

    private static async Task<MuxException> AssertFails(Func<Task> call)
    {
        var failure = await Assert.ThrowsAsync<MuxException>(call);
        Assert.Equal((MuxStatus.Unauthenticated, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        return failure;
    }

    private static void AssertSays(MuxException failure, params string[] parts) => Assert.All(parts, part => Assert.Contains(part, failure.Message, StringComparison.Ordinal));
}
