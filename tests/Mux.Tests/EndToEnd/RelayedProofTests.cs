using System.Security.Cryptography;
using Mux.Engine;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports.Tls;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>Whoever is between a client and a server, and what a proof of a shared key is worth to it.</summary>
public sealed class RelayedProofTests : EndToEndTests
{
    private static readonly SharedKey s_key = new("clerk-1", RandomNumberGenerator.GetBytes(32), "clerk");

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_passes_on_the_challenge_of_another_one_does_not_get_in_by_the_proof()
    {
        var scene = Begin(TransportKind.Tls);
        scene.ExpectedEnds.UnionWith([CloseReason.AuthFailed, CloseReason.ConnectionLost]); // of whoever does not hear of the other's end
        var server = StartServer(scene);
        await using var relay = new TlsRelay(TestAuthority.Shared.Issue(CertificateWish.Server), server.Address);

        await AssertRefused(Connect(scene, relay.Address, new SharedKeyCredentials(s_key)));

        Assert.Contains("does not match the shared key 'clerk-1': the client has another key, or made the proof for another challenge or certificate", scene.Logs.Of("AuthenticationFailed")[0].Text, StringComparison.Ordinal);
        Assert.Equal("clerk-1", await Connect(scene, server.Address, new SharedKeyCredentials(s_key)).WhoAmI());
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_ends_TLS_itself_takes_no_proof_that_is_not_bound()
    {
        var scene = Begin(TransportKind.Tls);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var server = StartServer(scene);
        await AssertRefused(Connect(scene, server.Address, new SharedKeyCredentials(s_key) { BindToTls = false }));
        Assert.Contains("is not bound to this server's certificate", scene.Logs.Of("AuthenticationFailed")[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Behind_a_proxy_that_ends_TLS_a_client_gets_in_that_was_told_so_and_no_other_one()
    {
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.UnionWith([CloseReason.AuthFailed, CloseReason.ConnectionLost]); // of whoever does not hear of the other's end
        var server = StartServer(scene);
        await using var proxy = new TlsRelay(TestAuthority.Shared.Issue(CertificateWish.Server), server.Address);
        scene.DialsElsewhere += 2;

        await AssertRefused(ConnectByTls(scene, proxy, new SharedKeyCredentials(s_key)));

        Assert.Contains("this server sees no TLS", scene.Logs.Of("AuthenticationFailed")[0].Text, StringComparison.Ordinal);
        Assert.Equal("clerk-1", await ConnectByTls(scene, proxy, new SharedKeyCredentials(s_key) { BindToTls = false }).WhoAmI());
    }

    [Fact(Timeout = TestLimit)]
    public async Task Each_of_several_connections_with_TLS_is_bound_whether_its_session_is_resumed_or_not()
    {
        var scene = Begin(TransportKind.Tls);
        var server = StartServer(scene);
        for (int i = 0; i < 5; i++) Assert.Equal("clerk-1", await Connect(scene, server.Address, new SharedKeyCredentials(s_key)).WhoAmI());
    }

    private static MuxServer StartServer(Scene scene) => scene.StartServer(
        server => server.AddService<IGuarded>(new Guarded()),
        options => options.Identity = new MuxIdentityOptions { SharedKeys = { s_key }, Policies = { ["adult"] = static _ => true } });

    private static IGuarded Connect(Scene scene, MuxAddress address, MuxCredentials credentials) => scene.CreateChannel(address, options => options.Credentials = credentials).CreateProxy<IGuarded>();

    private static IGuarded ConnectByTls(Scene scene, TlsRelay proxy, MuxCredentials credentials) => scene.CreateChannel(proxy.Address, options =>
    {
        options.Credentials = credentials;
        options.Transport = TlsTransports.Create();
    }).CreateProxy<IGuarded>();

    private static async Task AssertRefused(IGuarded sut) => Assert.Equal(MuxStatus.Unauthenticated, (await Assert.ThrowsAsync<MuxException>(() => sut.WhoAmI().AsTask())).Status);
}
