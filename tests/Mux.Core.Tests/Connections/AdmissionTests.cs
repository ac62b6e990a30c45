using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.Transports;

namespace Mux.Core.Tests.Connections;

/// <summary>A connection whose accepting side wants to know who is there, frame by frame.</summary>
public sealed class AdmissionTests
{
    private static readonly DateTimeOffset s_start = DateTimeOffset.UnixEpoch.AddDays(1); // where the clocks of tests begin

    private readonly ManualWork _work = new();
    private readonly ProbeAdmission _admission = new();
    private BudgetLimits _budgets = BudgetLimits.None;

    [Fact]
    public void HELLO_says_that_authentication_is_demanded_and_a_challenge_follows()
    {
        var peer = Shake();

        var hello = peer.Read();
        Assert.True(HelloFrame.TryRead(hello.Payload, out var read, out _));
        Assert.True(read!.Settings.DemandsAuthentication);
        var challenge = ReadChallenge(peer);
        Assert.Equal(["probe"], challenge.Schemes);
        Assert.Equal(ConnectionState.Authenticating, peer.Sut.State);
        Assert.False(peer.Owner.Opened);
    }

    [Fact]
    public void Every_connection_gets_another_challenge()
    {
        var nonces = Enumerable.Range(0, 50).Select(_ => Shake()).Select(peer =>
        {
            peer.Read();
            return Convert.ToHexString(ReadChallenge(peer).Nonce);
        });

        Assert.Equal(50, nonces.Distinct().Count());
    }

    [Fact]
    public void A_credential_is_looked_at_elsewhere_and_opens_the_connection()
    {
        var peer = Shake();
        peer.Read();
        var challenge = ReadChallenge(peer);
        peer.SendFrame(FrameKind.Auth, default, AuthCredential.Make("probe", [1, 2, 3]));
        Assert.Empty(_admission.Seen);

        _work.RunAll();

        var seen = Assert.Single(_admission.Seen);
        Assert.Equal(AuthCredential.Make("probe", [1, 2, 3]), seen.Credential);
        Assert.Equal(challenge.Nonce, seen.Nonce);
        Assert.Equal("test", seen.RemoteAddress);
        var accepted = ReadAccepted(peer);
        Assert.Equal(0u, accepted.LifetimeMilliseconds);
        Assert.NotEqual(challenge.Nonce, accepted.Nonce);
        Assert.True(peer.Owner.Opened);
        Assert.Equal(ConnectionState.Open, peer.Sut.State);
    }

    [Fact]
    public void Who_is_refused_learns_nothing_but_that()
    {
        _admission.Decide = static _ => Task.FromResult(new Admittance(null, "The secret reason."));
        var peer = Shake();
        peer.ReadAll();
        Authenticate(peer);

        AssertRefused(peer, "The secret reason.");
    }

    [Fact]
    public void A_PING_is_answered_while_a_credential_is_awaited_and_while_it_is_looked_at()
    {
        var peer = Shake();
        peer.ReadAll();
        peer.SendFrame(FrameKind.Ping, default, new byte[8]);
        Assert.Equal(FrameKind.Ping, peer.Read().Kind);
        peer.SendFrame(FrameKind.Auth, default, AuthCredential.Make("probe", []));
        peer.SendFrame(FrameKind.Ping, default, new byte[8]);
        Assert.Equal(FrameKind.Ping, peer.Read().Kind);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_peer_that_gives_up_is_left()
    {
        var peer = Shake();
        peer.ReadAll();
        peer.SendFrame(FrameKind.GoAway, default, [13, 0, 0, 0, 0, 0]);
        Assert.Equal(CloseReason.PeerError, peer.Owner.End?.Reason);
        Assert.Empty(peer.ReadAll());
    }

    [Fact]
    public void A_peer_that_is_silent_is_given_up_when_the_handshake_timeout_is_over()
    {
        var peer = Shake();
        peer.ReadAll();
        peer.Time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.Null(peer.Owner.End);
        peer.Time.Advance(TimeSpan.FromSeconds(0.2));
        AssertRefused(peer, "within 10 s");
    }

    [Fact]
    public void A_decision_that_does_not_come_is_not_awaited_beyond_the_handshake_timeout()
    {
        var decision = new TaskCompletionSource<Admittance>();
        _admission.Decide = _ => decision.Task;
        var peer = Shake();
        peer.ReadAll();
        Authenticate(peer);
        Assert.False(_admission.Ending.IsCancellationRequested);
        peer.Time.Advance(TimeSpan.FromSeconds(10.1));
        AssertRefused(peer, "within 10 s");

        decision.SetResult(new Admittance(new ProbeAccess(), string.Empty));
        Assert.False(peer.Owner.Opened);
        Assert.Empty(peer.ReadAll());
    }

    [Fact]
    public async Task Whoever_decides_is_told_when_the_peer_leaves()
    {
        _admission.Decide = static _ => new TaskCompletionSource<Admittance>().Task;
        var peer = Shake();
        Authenticate(peer);
        peer.End();
        await Eventually.Holds(() => _admission.Ending.IsCancellationRequested, () => "the end of the decision");
    }

    [Fact]
    public void An_identity_of_the_link_is_taken_without_AUTH_and_HELLO_waits_for_it()
    {
        var admission = new ProbeAdmission { TakesIdentityOfLink = true };
        var peer = new ScriptedPeer(accepting: true, new ConnectionOptions { Admission = admission, Work = _work });
        peer.Link.KnownPeer = new PeerIdentity(new ProbeAccess().User!);
        peer.SendHandshake();
        Assert.Empty(peer.ReadAll());

        _work.RunAll();

        Assert.Same(peer.Link.KnownPeer, Assert.Single(admission.Seen).Identity);
        var hello = Assert.Single(peer.ReadAll());
        Assert.True(HelloFrame.TryRead(hello.Payload, out var read, out _));
        Assert.False(read!.Settings.DemandsAuthentication);
        Assert.True(peer.Owner.Opened);
    }

    [Fact]
    public void A_method_is_asked_about_once_and_again_when_another_identity_is_there()
    {
        var first = new ProbeAccess(s_start.AddMinutes(10));
        var second = new ProbeAccess(s_start.AddMinutes(20));
        _admission.Decide = _ => Task.FromResult(new Admittance(_admission.Seen.Count == 1 ? first : second, string.Empty));
        var (peer, echo) = OpenWithEcho();
        for (uint generation = 1; generation <= 5; generation++) peer.Request(new CallId(1, generation), 0, [7]);
        Assert.Equal(["test/Echo"], first.Asked);

        peer.Time.Advance(TimeSpan.FromMinutes(1));
        Authenticate(peer);
        for (uint generation = 6; generation <= 9; generation++) peer.Request(new CallId(1, generation), 0, [7]);

        Assert.Equal(["test/Echo"], first.Asked);
        Assert.Equal(["test/Echo"], second.Asked);
        Assert.Equal(9, echo.Bodies.Count);
        Assert.Same(second, peer.Sut.Access);
    }

    [Theory]
    [InlineData(MuxStatus.Unauthenticated)]
    [InlineData(MuxStatus.PermissionDenied)]
    public void A_call_that_is_not_allowed_fails_not_executed_each_time_and_others_go_on(MuxStatus status)
    {
        var access = new ProbeAccess { Allow = method => method.FullName == "test/Echo" ? MuxStatus.Ok : status };
        _admission.Decide = _ => Task.FromResult(new Admittance(access, string.Empty));
        var (peer, echo) = OpenWithEcho();
        var other = peer.Methods.Add("test/Other");
        peer.Define(1, "test/Other");
        for (uint generation = 1; generation <= 3; generation++)
        {
            peer.Request(new CallId(1, generation), 1, [1]);
            AssertFailed(peer, new CallId(1, generation), status);
            peer.Request(new CallId(2, generation), 0, [1]);
            Assert.Equal(FrameKind.Response, peer.Read().Kind);
        }

        Assert.Empty(other.Bodies);
        Assert.Equal(3, echo.Bodies.Count);
        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
    }

    [Fact]
    public void Streams_one_way_calls_and_requests_in_fragments_are_asked_about_before_anything_of_them_is_kept()
    {
        _admission.Decide = _ => Task.FromResult(new Admittance(new ProbeAccess { Allow = static _ => MuxStatus.PermissionDenied }, string.Empty));
        var (peer, echo) = OpenWithEcho();
        var both = peer.Methods.Add("test/Both", MethodShape.Duplex);
        peer.Define(1, "test/Both", MethodShape.Duplex);

        peer.RequestStream(new CallId(1, 1), 1);
        AssertFailed(peer, new CallId(1, 1), MuxStatus.PermissionDenied);
        peer.SendFrame(FrameKind.Request, new CallId(2, 1), [0, 0, (byte)RequestOptions.OneWay, 0]);
        AssertFailed(peer, new CallId(2, 1), MuxStatus.PermissionDenied);
        peer.Begin(FrameKind.Request, new CallId(3, 1), 100_000, [0, 0, 0, 0]);
        AssertFailed(peer, new CallId(3, 1), MuxStatus.PermissionDenied);
        Assert.True(peer.Sut.Requests.IsEmpty);
        peer.Continue(FrameKind.Request, new CallId(3, 1), new byte[30_000]);

        Assert.Null(peer.Owner.End);
        Assert.Empty(both.Items);
        Assert.Empty(echo.Bodies);
    }

    [Fact]
    public void Calls_after_the_expiry_fail_unauthenticated_not_executed_and_the_connection_drains()
    {
        _admission.Decide = static _ => Task.FromResult(new Admittance(new ProbeAccess(s_start.AddSeconds(60)), string.Empty));
        var (peer, echo) = OpenWithEcho(out var accepted);
        Assert.Equal(60_000u, accepted.LifetimeMilliseconds);
        peer.Request(new CallId(1, 1), 0, [1]);
        Assert.Equal(FrameKind.Response, peer.Read().Kind);
        peer.Time.Advance(TimeSpan.FromSeconds(59));
        Assert.Empty(peer.ReadAll());

        peer.Time.Advance(TimeSpan.FromSeconds(1.5));

        Assert.True(GoAwayFrame.TryRead(peer.Read().Payload, out var goAway, out _));
        Assert.Equal(ConnectionCode.Draining, goAway.Code);
        peer.Request(new CallId(1, 2), 0, [2]);
        AssertFailed(peer, new CallId(1, 2), MuxStatus.Unauthenticated);
        Assert.Single(echo.Bodies);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        Assert.Equal(CloseReason.CredentialExpired, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_call_that_runs_when_the_credential_expires_may_end_within_the_grace()
    {
        _admission.Decide = static _ => Task.FromResult(new Admittance(new ProbeAccess(s_start.AddSeconds(60)), string.Empty));
        var (peer, echo) = OpenWithEcho();
        echo.Handler = null;
        peer.Request(new CallId(1, 1), 0, [1]);
        peer.Request(new CallId(2, 1), 0, [2]);
        peer.Time.Advance(TimeSpan.FromSeconds(61));
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        peer.ReadAll();
        echo.Pending[0].Reply([9]);
        Assert.Equal(FrameKind.Response, peer.Read().Kind);
        Assert.Null(peer.Owner.End);

        peer.Time.Advance(TimeSpan.FromSeconds(21));

        AssertFailed(peer, new CallId(2, 1), MuxStatus.Unavailable, MuxExecution.MayHaveExecuted);
        Assert.Equal(CloseReason.CredentialExpired, peer.Owner.End?.Reason);
    }

    [Fact]
    public void Another_credential_in_time_keeps_the_connection()
    {
        _admission.Decide = _ => Task.FromResult(new Admittance(new ProbeAccess(s_start.AddSeconds(60 * _admission.Seen.Count)), string.Empty));
        var (peer, echo) = OpenWithEcho();
        for (uint generation = 1; generation <= 5; generation++)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(50));
            Authenticate(peer);
            Assert.True(AuthAccepted.TryRead(peer.Read().Payload, out _, out _));
            peer.Request(new CallId(1, generation), 0, [1]);
            Assert.Equal(FrameKind.Response, peer.Read().Kind);
        }

        Assert.Equal(6, _admission.Seen.Select(seen => Convert.ToHexString(seen.Nonce)).Distinct().Count());
        Assert.Equal(5, echo.Bodies.Count);
        Assert.Null(peer.Owner.End);
    }

    [Theory]
    [InlineData(true, "too soon")]
    [InlineData(false, "does not expire")]
    public void A_credential_that_comes_too_soon_or_where_nothing_expires_is_a_violation(bool expires, string says)
    {
        _admission.Decide = _ => Task.FromResult(new Admittance(new ProbeAccess(expires ? s_start.AddSeconds(60) : null), string.Empty));
        var (peer, _) = OpenWithEcho();
        peer.Time.Advance(expires ? TimeSpan.FromMilliseconds(499) : TimeSpan.FromMinutes(1));
        peer.ReadAll();
        Authenticate(peer);
        Assert.True(GoAwayFrame.TryRead(Assert.Single(peer.ReadAll()).Payload, out var goAway, out _));
        Assert.Equal(ConnectionCode.ProtocolError, goAway.Code);
        Assert.Contains(says, goAway.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Another_credential_that_is_refused_ends_the_connection()
    {
        _admission.Decide = _ => Task.FromResult(new Admittance(_admission.Seen.Count == 1 ? new ProbeAccess(s_start.AddSeconds(60)) : null, "Revoked."));
        var (peer, _) = OpenWithEcho();
        peer.Time.Advance(TimeSpan.FromSeconds(30));
        Authenticate(peer);
        AssertRefused(peer, "Revoked.");
    }

    [Fact]
    public void Another_credential_counts_among_the_frames_without_a_message()
    {
        _admission.Decide = _ => Task.FromResult(new Admittance(new ProbeAccess(s_start.AddSeconds(600)), string.Empty));
        _budgets = new BudgetLimits { ControlFrames = 10 };
        int taken = 0;
        while (Flood(taken + 1).Owner.End is null) taken++;
        Assert.InRange(taken, 10, 20); // and those that the handshake has earned

        var peer = Flood(taken - 1);
        Authenticate(peer);
        Assert.Null(peer.Owner.End);
        peer = Flood(taken);
        Authenticate(peer);
        Assert.Equal(PeerLimit.ControlFrames, peer.Owner.End?.Limit);

        ScriptedPeer Flood(int frames)
        {
            var (peer, _) = OpenWithEcho();
            peer.Time.Advance(TimeSpan.FromSeconds(10)); // the budget is whole again
            for (int i = 0; i < frames; i++) peer.Credit(FrameKind.Credit, default, 1);
            return peer;
        }
    }

    [Fact]
    public void A_connection_that_drains_because_it_was_idle_and_waits_for_a_call_without_end_still_ends_when_the_credential_does()
    {
        _admission.Decide = static _ => Task.FromResult(new Admittance(new ProbeAccess(s_start.AddSeconds(60)), string.Empty));
        var (peer, echo) = OpenWithEcho(out _, new ConnectionOptions { Admission = _admission, Work = _work, IdleTimeout = 10_000_000 });
        echo.Handler = null;
        peer.Time.Advance(TimeSpan.FromSeconds(11));
        Assert.True(GoAwayFrame.TryRead(peer.Read().Payload, out var goAway, out _));
        Assert.Equal(ConnectionCode.IdleTimeout, goAway.Code);
        peer.Request(new CallId(1, 1), 0, [1]); // it crossed with the GOAWAY
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        peer.Time.Advance(TimeSpan.FromSeconds(68)); // 79 s
        Assert.Null(peer.Owner.End);

        peer.Time.Advance(TimeSpan.FromSeconds(2));

        AssertFailed(peer, new CallId(1, 1), MuxStatus.Unavailable, MuxExecution.MayHaveExecuted);
        Assert.Equal(CloseReason.CredentialExpired, peer.Owner.End?.Reason);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_peer_counts_by_its_address_until_it_has_a_name(bool isNamed)
    {
        _admission.Decide = _ => Task.FromResult(new Admittance(new ProbeAccess { IsNamed = isNamed }, string.Empty));
        var memory = new MemoryBudget(8 << 20, perAddress: 4 << 20);
        var shared = new SharedBudgets(new HandlerLimit(BudgetLimits.Unbounded, _ => { }), new UnsentWatch(new ConnectionLedger(), new Clock(TimeProvider.System), BudgetLimits.Unbounded), memory, _ => { });
        var peer = new ScriptedPeer(accepting: true, new ConnectionOptions { Admission = _admission, Work = _work, Budgets = _budgets, Shared = shared }, "10.0.0.1");
        peer.SendHandshake();
        Assert.NotNull(peer.Sut.Memory!.Address);
        Authenticate(peer);
        Assert.Equal(ConnectionState.Open, peer.Sut.State);
        Assert.Equal(isNamed, peer.Sut.Memory.Address is null);
    }

    private ScriptedPeer Shake(ConnectionOptions? options = null)
    {
        var peer = new ScriptedPeer(accepting: true, options ?? new ConnectionOptions { Admission = _admission, Work = _work, Budgets = _budgets });
        peer.SendHandshake();
        return peer;
    }

    private void Authenticate(ScriptedPeer peer)
    {
        peer.SendFrame(FrameKind.Auth, default, AuthCredential.Make("probe", [1]));
        _work.RunAll();
    }

    private (ScriptedPeer Peer, ProbeMethod Echo) OpenWithEcho() => OpenWithEcho(out _);

    private (ScriptedPeer Peer, ProbeMethod Echo) OpenWithEcho(out AuthAccepted accepted, ConnectionOptions? options = null)
    {
        var peer = Shake(options);
        peer.ReadAll();
        var echo = peer.Methods.Add("test/Echo");
        echo.Handler = static body => body;
        Authenticate(peer);
        accepted = ReadAccepted(peer);
        peer.Define(0, "test/Echo");
        return (peer, echo);
    }

    private static AuthChallenge ReadChallenge(ScriptedPeer peer)
    {
        var frame = peer.Read();
        Assert.Equal((FrameKind.Auth, FrameFlags.None), (frame.Kind, frame.Header.Flags));
        Assert.True(AuthChallenge.TryRead(frame.Payload, out var challenge, out _));
        return challenge!;
    }

    private static AuthAccepted ReadAccepted(ScriptedPeer peer)
    {
        var frame = peer.Read();
        Assert.Equal((FrameKind.Auth, FrameFlags.Answer), (frame.Kind, frame.Header.Flags));
        Assert.True(AuthAccepted.TryRead(frame.Payload, out var accepted, out _));
        return accepted!;
    }

    private static void AssertRefused(ScriptedPeer peer, string reason)
    {
        var last = peer.ReadAll()[^1];
        Assert.Equal(FrameKind.GoAway, last.Kind);
        Assert.True(GoAwayFrame.TryRead(last.Payload, out var goAway, out _));
        Assert.Equal((ConnectionCode.AuthFailed, "Authentication failed."), (goAway.Code, goAway.Text));
        Assert.Equal(CloseReason.AuthFailed, peer.Owner.End?.Reason);
        Assert.Contains(reason, peer.Owner.End!.Text, StringComparison.Ordinal);
    }

    private static void AssertFailed(ScriptedPeer peer, CallId id, MuxStatus status, MuxExecution execution = MuxExecution.NotExecuted)
    {
        var frame = peer.Read();
        Assert.Equal((FrameKind.Fail, id), (frame.Kind, frame.Id));
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        Assert.Equal((status, execution), ((MuxStatus)fail.Status, fail.Execution));
    }
}
