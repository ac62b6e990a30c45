using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports.Tls;

namespace Mux.Core.Tests.Transports.Tls;

/// <summary>Peers of a TLS port that do not get as far as a certificate: each is closed without a frame and stands in the log with its reason.</summary>
public sealed class TlsBadInputTests
{
    private const byte HandshakeRecord = 22;

    // A hello of TLS 1.1: two suites, no compression, the extension ALPN with mux/1.
    private static readonly byte[] s_hello11 =
    [
        HandshakeRecord, 3, 1, 0, 61, 1, 0, 0, 57, 3, 2, .. new byte[32], 0, 0, 4, 0xC0, 0x09, 0xC0, 0x13, 1, 0, 0, 12, 0, 16, 0, 8, 0, 6, 5, (byte)'m', (byte)'u', (byte)'x', (byte)'/', (byte)'1',
    ];

    [Fact(Timeout = 60_000)]
    public async Task A_client_without_an_application_protocol_is_closed_without_a_byte()
    {
        using var scene = new TlsServerScene();
        var stream = await scene.HandshakeAsync(new SslClientAuthenticationOptions());
        Assert.Empty(await TlsServerScene.ReadToEndAsync(stream));
        Assert.Contains("the client offers no application protocol (ALPN): expected mux/1", await scene.RefusalAsync(), StringComparison.Ordinal);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_client_with_another_application_protocol_is_closed()
    {
        using var scene = new TlsServerScene();
        await Assert.ThrowsAsync<AuthenticationException>(() => scene.HandshakeAsync(new SslClientAuthenticationOptions { ApplicationProtocols = [SslApplicationProtocol.Http2] }));
        Assert.Contains("protocol", await scene.RefusalAsync(), StringComparison.Ordinal);
    }

    [Fact(Timeout = 60_000)]
    public async Task TLS_1_1_is_refused()
    {
        using var scene = new TlsServerScene();
        await AnswerToAsync(scene, s_hello11);
        Assert.Contains("unsupported protocol", await scene.RefusalAsync(), StringComparison.OrdinalIgnoreCase);
    }

    [Fact(Timeout = 60_000)]
    public async Task An_empty_record_is_no_hello()
    {
        var options = TlsTransports.Server();
        options.HandshakeTimeout = TimeSpan.FromMilliseconds(500);
        using var scene = new TlsServerScene(options);
        await AnswerToAsync(scene, [HandshakeRecord, 3, 1, 0, 0]);
        await scene.RefusalAsync();
    }

    [Fact(Timeout = 60_000)]
    public async Task Plaintext_on_a_TLS_port_is_told_from_a_broken_record()
    {
        using var scene = new TlsServerScene();
        await AnswerToAsync(scene, "MUX/1.0 and all that follows"u8.ToArray());
        Assert.Contains("frame", await scene.RefusalAsync(), StringComparison.Ordinal);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_client_that_says_nothing_is_given_up_in_time()
    {
        var options = TlsTransports.Server();
        options.HandshakeTimeout = TimeSpan.FromMilliseconds(200);
        using var scene = new TlsServerScene(options);
        await AnswerToAsync(scene, []);
        Assert.Contains("it took longer than 00:00:00.2", await scene.RefusalAsync(), StringComparison.Ordinal);
    }

    [Fact(Timeout = 60_000)]
    public async Task Clients_that_say_nothing_hold_up_nobody_until_their_places_are_taken()
    {
        var options = TlsTransports.Server();
        options.MaxPendingHandshakes = 3;
        using var scene = new TlsServerScene(options, new ManualTime()); // time that passes would let newcomers in
        var first = await scene.ConnectAsync();
        await scene.ConnectAsync();
        (await scene.HandshakeAsync(new SslClientAuthenticationOptions { ApplicationProtocols = [new("mux/1")] })).Dispose();
        await scene.Accepted.ReachAsync(1);

        await scene.ConnectAsync();
        Assert.Empty(await TlsServerScene.ReadToEndAsync(new NetworkStream(await scene.ConnectAsync())));
        Assert.Contains("3 handshakes are pending, the limit set by MaxPendingHandshakes", (await scene.Logs.ReachAsync("TlsHandshakeRefused"))[0].Text, StringComparison.Ordinal);

        first.Dispose();
        await scene.Logs.ReachAsync("TlsHandshakeFailed");
        while (!await IsLetInAsync(scene))
        {
            // The place is free a moment after the log says so.
        }

        await scene.Accepted.ReachAsync(2);
    }

    [Fact(Timeout = 60_000)]
    public async Task One_address_does_not_take_the_places_of_all()
    {
        var options = TlsTransports.Server();
        options.MaxPendingHandshakesPerAddress = 2;
        using var scene = new TlsServerScene(options, new ManualTime());
        for (int i = 0; i < 2; i++) await scene.ConnectAsync();
        Assert.Empty(await TlsServerScene.ReadToEndAsync(new NetworkStream(await scene.ConnectAsync())));
        Assert.Contains("2 handshakes from its address are pending, the limit set by MaxPendingHandshakesPerAddress", (await scene.Logs.ReachAsync("TlsHandshakeRefused"))[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_client_that_says_nothing_loses_its_place_to_a_newer_one_after_a_second()
    {
        var time = new ManualTime();
        var options = TlsTransports.Server();
        options.MaxPendingHandshakesPerAddress = 2;
        using var scene = new TlsServerScene(options, time);
        var first = await scene.ConnectAsync();
        var second = await scene.ConnectAsync();
        Assert.Empty(await TlsServerScene.ReadToEndAsync(new NetworkStream(await scene.ConnectAsync())));

        time.Advance(TimeSpan.FromSeconds(1));
        (await scene.HandshakeAsync(new SslClientAuthenticationOptions { ApplicationProtocols = [new("mux/1")] })).Dispose();

        await scene.Accepted.ReachAsync(1);
        Assert.Empty(await TlsServerScene.ReadToEndAsync(new NetworkStream(first)));
        Assert.Equal([new("PendingHandshakesOfAddress", 2)], scene.Failures());
        var refusals = await scene.Logs.ReachAsync("TlsHandshakeRefused", 2);
        Assert.Contains("its handshake was not finished when a newer connection needed its place; 2 handshakes", refusals[1].Text, StringComparison.Ordinal);
        Assert.True(second.Connected);
    }

    [Fact(Timeout = 60_000)]
    public async Task Silent_clients_of_four_addresses_keep_a_client_of_another_address_out_at_no_time()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has all of 127.0.0.0/8 without being told.");
        var options = TlsTransports.Server();
        (options.MaxPendingHandshakes, options.MaxPendingHandshakesPerAddress) = (16, 4);
        using var scene = new TlsServerScene(options, new ManualTime());
        for (int i = 0; i < 16; i++) await scene.ConnectAsync(from: $"127.0.1.{1 + (i % 4)}");

        for (int i = 1; i <= 3; i++)
        {
            (await scene.HandshakeAsync(new SslClientAuthenticationOptions { ApplicationProtocols = [new("mux/1")] })).Dispose();
            await scene.Accepted.ReachAsync(i);
            for (int again = 0; again < 8; again++) await scene.ConnectAsync(from: $"127.0.1.{1 + (again % 4)}");
        }
    }

    private static async Task<bool> IsLetInAsync(TlsServerScene scene)
    {
        try
        {
            (await scene.HandshakeAsync(new SslClientAuthenticationOptions { ApplicationProtocols = [new("mux/1")] })).Dispose();
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    private static async Task AnswerToAsync(TlsServerScene scene, byte[] bytes)
    {
        await using var stream = new NetworkStream(await scene.ConnectAsync());
        await stream.WriteAsync(bytes, TestContext.Current.CancellationToken);
        var answer = await TlsServerScene.ReadToEndAsync(stream);
        Assert.True(answer.Length == 0 || answer[0] == 21, "Something else than an alert was sent.");
    }
}
