using System.Security.Cryptography;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Server;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Identity;

/// <summary>Decisions on credentials.</summary>
public sealed class AdmissionControlTests
{
    private static readonly SharedKey s_key = new("a", RandomNumberGenerator.GetBytes(32));

    private static readonly byte[] s_nonce = RandomNumberGenerator.GetBytes(32);

    private readonly ManualTime _time = new();

    [Fact]
    public async Task An_address_that_fails_too_often_is_answered_a_second_later_and_a_good_credential_at_once()
    {
        var sut = new AdmissionControl(new MuxIdentityOptions { SharedKeys = { s_key } }, [], new Clock(_time), NullLogger.Instance);
        for (int i = 0; i < 5; i++) Assert.Null((await DecideAsync(sut, [0]).Within("a refusal")).Access);
        long start = _time.GetTimestamp();

        var sixth = DecideAsync(sut, [0]);
        Assert.NotNull((await DecideAsync(sut, Good()).Within("an admittance beside it")).Access);
        await Eventually.Holds(
            () =>
            {
                _time.Advance(TimeSpan.FromMilliseconds(10));
                return sixth.IsCompleted;
            },
            () => "the late refusal");

        Assert.Null((await sixth).Access);
        Assert.InRange(_time.GetElapsedTime(start), TimeSpan.FromSeconds(1), TimeSpan.MaxValue);
    }

    [Fact]
    public async Task A_rule_broken_before_authentication_ends_at_once_and_is_no_failure_of_its_address()
    {
        var sut = new AdmissionControl(new MuxIdentityOptions { SharedKeys = { s_key } }, [], new Clock(_time), NullLogger.Instance);
        for (int i = 0; i < 10; i++)
        {
            var peer = new ScriptedPeer(accepting: true, new ConnectionOptions { Admission = sut });
            peer.SendHandshake();
            peer.SendFrame(FrameKind.Request, new CallId(1, 1), []);
            Assert.Equal("test", peer.Sut.RemoteAddress);
            Assert.Equal(CloseReason.AuthFailed, peer.Owner.End?.Reason);
            Assert.Equal(FrameKind.GoAway, peer.ReadAll()[^1].Kind);
        }

        Assert.Null((await DecideAsync(sut, [0], "test").Within("a refusal at once, as time stands still")).Access);
    }

    [Fact]
    public async Task A_credential_is_wiped_when_it_is_decided()
    {
        var sut = new AdmissionControl(new MuxIdentityOptions { SharedKeys = { s_key } }, [], new Clock(_time), NullLogger.Instance);
        var credential = Good();
        Assert.NotNull((await DecideAsync(sut, credential).Within("an admittance")).Access);
        Assert.All(credential, b => Assert.Equal(0, b));
    }

    [Theory]
    [InlineData(new byte[0], "names no valid scheme")]
    [InlineData(new byte[] { 0 }, "no credential")]
    [InlineData(new byte[] { 0, 1 }, "names no valid scheme")]
    [InlineData(new byte[] { 2, 97 }, "names no valid scheme")]
    [InlineData(new byte[] { 1, 65 }, "names no valid scheme")]
    [InlineData(new byte[] { 1, 97 }, "The server has no authenticator for the scheme 'a'")]
    [InlineData(new byte[] { 65 }, "names no valid scheme")]
    public async Task What_is_no_credential_is_refused_with_a_reason(byte[] credential, string reason)
    {
        var sut = new AdmissionControl(new MuxIdentityOptions { SharedKeys = { s_key } }, [], new Clock(_time), NullLogger.Instance);
        var decision = await DecideAsync(sut, credential).Within("a refusal");
        Assert.Null(decision.Access);
        Assert.Contains(reason, decision.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_address_whose_authenticators_never_end_keeps_its_share_of_places_and_neither_others_nor_renewals_wait_for_it()
    {
        var stuck = new TaskCompletionSource<AuthenticationResult>();
        int running = 0;
        var options = new MuxIdentityOptions { SharedKeys = { s_key }, MaxConcurrentAuthentications = 4, MaxConcurrentAuthenticationsPerAddress = 2 };
        options.Authenticators.Add(new BearerAuthenticator((_, _) =>
        {
            Interlocked.Increment(ref running);
            return new(stuck.Task); // whatever its token says
        }));
        var sut = new AdmissionControl(options, [], new Clock(_time), NullLogger.Instance);
        var crowd = Enumerable.Range(0, 10).Select(port => DecideAsync(sut, AuthCredential.Make("bearer", [97]), $"10.0.0.7:{port}")).ToList();
        await Eventually.Holds(() => Volatile.Read(ref running) == 2, () => "the share of the address");

        Assert.NotNull((await DecideAsync(sut, Good(), "10.0.0.8:5").Within("another address")).Access);
        Assert.NotNull((await sut.DecideAsync(Evidence(Good(), "10.0.0.7:99") with { Renews = true }, CancellationToken.None).Within("a renewal of its own address")).Access);

        _time.Advance(TimeSpan.FromSeconds(6));
        foreach (var decision in crowd) Assert.True((await decision.Within("the end of those that wait")).IsUndecided);
        var late = DecideAsync(sut, AuthCredential.Make("bearer", [97]), "10.0.0.7:100");
        Assert.NotNull((await DecideAsync(sut, Good(), "10.0.0.8:6").Within("another address, later")).Access);
        Assert.Equal(2, Volatile.Read(ref running)); // the places are held until the authenticators return
        stuck.SetResult(AuthenticationResult.Fail("too late"));
        Assert.Null((await late.Within("the place of one that has returned")).Access);
        Assert.Equal(3, Volatile.Read(ref running));
    }

    [Fact]
    public async Task A_renewal_that_could_not_be_decided_is_shown_the_proof_of_the_server_and_a_newcomer_is_not()
    {
        var sut = new AdmissionControl(new MuxIdentityOptions { SharedKeys = { s_key } }, [], new Clock(_time), NullLogger.Instance);
        var token = SharedKeyProof.Make(s_key, s_nonce, default);
        var ended = new CancellationToken(canceled: true);
        var renewal = Evidence(AuthCredential.Make("shared-key", token), "10.0.0.7:5") with { Renews = true };

        var decision = await sut.DecideAsync(renewal, ended).Within("a renewal");
        Assert.True(decision.IsUndecided);
        Assert.Equal(SharedKeyProof.MakeAnswer(s_key, token, s_nonce, default), decision.Proof.ToArray());
        Assert.True((await sut.DecideAsync(Evidence(Good(), "10.0.0.7:6"), ended).Within("a newcomer")).Proof.IsEmpty);
    }

    [Fact]
    public async Task A_connection_that_has_ended_runs_no_authenticator()
    {
        int runs = 0;
        var options = new MuxIdentityOptions();
        options.Authenticators.Add(new BearerAuthenticator((_, _) =>
        {
            Interlocked.Increment(ref runs);
            return new(AuthenticationResult.Fail("asked"));
        }));
        var sut = new AdmissionControl(options, [], new Clock(_time), NullLogger.Instance);
        var credential = AuthCredential.Make("bearer", [97]);

        Assert.True((await sut.DecideAsync(Evidence(credential, "10.0.0.7:5"), new CancellationToken(canceled: true)).Within("a decision")).IsUndecided);
        Assert.Equal(0, Volatile.Read(ref runs));
        Assert.All(credential, b => Assert.Equal(0, b));
    }

    private static byte[] Good() => AuthCredential.Make("shared-key", SharedKeyProof.Make(s_key, s_nonce, default));

    private static Task<Admittance> DecideAsync(AdmissionControl sut, byte[] credential, string remoteAddress = "10.0.0.7:5") => sut.DecideAsync(Evidence(credential, remoteAddress), CancellationToken.None);

    private static PeerEvidence Evidence(byte[] credential, string remoteAddress) => new(remoteAddress, credential, s_nonce, null);
}
