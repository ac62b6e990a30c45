using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>A connection whose dialing side is asked who it is, frame by frame.</summary>
public sealed class LoginTests
{
    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);

    private static readonly byte[] s_nonce = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];

    private readonly ManualWork _work = new();
    private readonly ProbeCredentials _credentials = new();

    [Fact]
    public void No_call_is_sent_before_the_credential_is_accepted()
    {
        var peer = Shake();
        var call = peer.Call(s_own, [42]);
        Assert.Empty(peer.ReadAll());
        Challenge(peer);
        Assert.Empty(peer.ReadAll());

        _work.RunAll();
        var auth = Assert.Single(peer.ReadAll());
        Assert.Equal(FrameKind.Auth, auth.Kind);
        Assert.Equal([5, .. "probe"u8, 1, 2, 3], auth.Payload);
        var (schemes, nonce) = Assert.Single(_credentials.Asked);
        Assert.Equal(["probe", "other"], schemes);
        Assert.Equal(s_nonce, nonce);
        Assert.False(peer.Owner.Opened);

        Accept(peer, 0);
        Assert.True(peer.Owner.Opened);
        Assert.Equal([FrameKind.Define, FrameKind.Request], peer.ReadAll().Select(frame => frame.Kind));
        Assert.False(call.IsDone);
    }

    [Fact]
    public void A_side_without_a_credential_says_so()
    {
        var peer = Shake(hasCredentials: false);
        Challenge(peer);
        Assert.Equal([0], peer.Read().Payload);
        Accept(peer, 0);
        Assert.True(peer.Owner.Opened);
    }

    [Fact]
    public void Calls_that_wait_fail_unauthenticated_when_the_peer_refuses()
    {
        var peer = Shake();
        var call = peer.Call(s_own, []);
        Challenge(peer);
        _work.RunAll();
        peer.SendFrame(FrameKind.GoAway, default, [5, 0, 0, 0, 0, 0, .. "Authentication failed."u8]);
        Assert.Equal((MuxStatus.Unauthenticated, MuxExecution.NotExecuted, MuxCallPhase.Connect), (call.Failure!.Status, call.Failure.Execution, call.Failure.Phase));
        Assert.Equal(CloseReason.AuthFailed, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_side_that_has_no_credential_and_is_refused_learns_where_to_set_one()
    {
        var peer = Shake(hasCredentials: false);
        Challenge(peer);
        peer.SendFrame(FrameKind.GoAway, default, [5, 0, 0, 0, 0, 0]);
        Assert.Contains("set Credentials", peer.Owner.End!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_credential_from_its_source_the_connection_ends_and_says_why()
    {
        _credentials.Provide = static () => Task.FromException<byte[]>(new IOException("The vault is closed."));
        var peer = Shake();
        var call = peer.Call(s_own, []);
        Challenge(peer);
        _work.RunAll();
        Assert.Equal(MuxExecution.NotExecuted, call.Failure!.Execution);
        Assert.Contains("The vault is closed.", call.Failure.Text, StringComparison.Ordinal);
        Assert.Equal(CloseReason.AuthFailed, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_side_whose_credential_cannot_be_made_leaves_with_GOAWAY_and_keeps_the_reason_to_itself()
    {
        _credentials.Provide = static () => Task.FromException<byte[]>(new IOException("The vault is closed."));
        var peer = Shake();
        Challenge(peer);
        _work.RunAll();
        var frame = peer.Read();
        Assert.Equal(FrameKind.GoAway, frame.Kind);
        Assert.True(GoAwayFrame.TryRead(frame.Payload, out var goAway, out _));
        Assert.Equal((ConnectionCode.AuthFailed, 0u, "This side has no credential to show."), (goAway.Code, goAway.RetryAfterMilliseconds, goAway.Text));
        Assert.Null(peer.TryRead());
    }

    [Fact]
    public void The_handshake_timeout_covers_authentication()
    {
        var peer = Shake();
        Challenge(peer);
        peer.Time.Advance(TimeSpan.FromSeconds(10.1));
        Assert.Equal(CloseReason.HandshakeTimeout, peer.Owner.End?.Reason);
    }

    [Theory]
    [InlineData(600_000, 540)] // a minute before
    [InlineData(10_000, 8)] // a fifth before
    [InlineData(1_100, 1)] // a second is the least
    public void A_credential_is_renewed_before_it_expires(int lifetimeMilliseconds, double renewedAfter)
    {
        var peer = Open(lifetimeMilliseconds);
        for (int i = 2; i < 5; i++)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(renewedAfter - 0.05));
            Assert.Empty(_credentials.Asked.Skip(i - 1));
            peer.Time.Advance(TimeSpan.FromSeconds(0.1));
            _work.RunAll();
            Assert.Equal(FrameKind.Auth, peer.Read().Kind);
            Assert.Equal(i, _credentials.Asked.Count);
            Assert.Equal((byte)(i - 1), _credentials.Asked[^1].Nonce[0]); // of the last answer
            Accept(peer, (uint)lifetimeMilliseconds, (byte)i);
        }

        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_credential_that_cannot_be_renewed_is_tried_again_while_the_old_one_holds()
    {
        var peer = Open(100_000);
        var call = peer.Call(s_own, []);
        peer.ReadAll();
        _credentials.Provide = static () => Task.FromException<byte[]>(new IOException("The vault is closed."));
        for (int second = 0; second < 100; second++)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(1));
            _work.RunAll();
        }

        Assert.InRange(_credentials.Asked.Count, 4, 10);
        Assert.False(call.IsDone);
        Assert.Null(peer.Owner.End);
        int asked = _credentials.Asked.Count;
        peer.Time.Advance(TimeSpan.FromSeconds(5));
        _work.RunAll();
        Assert.Equal(asked, _credentials.Asked.Count);
    }

    [Fact]
    public void A_credential_for_ever_is_not_renewed()
    {
        var peer = Open(0);
        peer.Time.Advance(TimeSpan.FromDays(1));
        _work.RunAll();
        Assert.Single(_credentials.Asked);
        Assert.Empty(peer.ReadAll());
    }

    [Fact]
    public void The_buffer_of_a_credential_is_wiped_when_it_is_sent()
    {
        byte[] payload = [5, .. "probe"u8, 7, 7, 7];
        _credentials.Provide = () => Task.FromResult(payload);
        var peer = Shake();
        Challenge(peer);
        _work.RunAll();
        Assert.Equal([5, .. "probe"u8, 7, 7, 7], peer.Read().Payload);
        Assert.All(payload, b => Assert.Equal(0, b));
    }

    [Fact]
    public void A_credential_that_could_be_read_on_the_way_ends_the_connection_before_a_byte_is_sent()
    {
        var seen = new List<(string?, bool)>();
        _credentials.Withhold = (remote, isEncrypted) =>
        {
            seen.Add((remote, isEncrypted));
            return remote is not null ? "It could be read." : null;
        };
        var peer = new ScriptedPeer(accepting: false, new ConnectionOptions { Credentials = _credentials, Work = _work });
        Assert.Equal([(null, false), ("test", false)], seen);
        Assert.Equal(CloseReason.AuthFailed, peer.Owner.End?.Reason);
        Assert.Equal("It could be read.", peer.Owner.End!.Text);
        Assert.Equal(0, peer.Link.SentBytes);
        Assert.Empty(_credentials.Asked);
    }

    [Fact]
    public void A_peer_that_does_not_ask_is_left_and_calls_that_wait_fail_unauthenticated()
    {
        _credentials.WhyNotUnasked = "It did not ask.";
        var peer = new ScriptedPeer(accepting: false, new ConnectionOptions { Credentials = _credentials, Work = _work });
        var call = peer.Call(s_own, []);
        Assert.Equal(FrameKind.Hello, peer.Read().Kind);
        peer.SendHandshake();
        Assert.Equal((MuxStatus.Unauthenticated, MuxExecution.NotExecuted, MuxCallPhase.Connect, "It did not ask."), (call.Failure!.Status, call.Failure.Execution, call.Failure.Phase, call.Failure.Text));
        Assert.False(peer.Owner.Opened);
        var goAway = peer.Read();
        Assert.Equal((FrameKind.GoAway, (byte)ConnectionCode.AuthFailed), (goAway.Kind, goAway.Payload[0]));
        Assert.Null(peer.TryRead());
    }

    [Fact]
    public void A_peer_that_proves_itself_is_accepted_at_first_and_at_each_renewal()
    {
        byte[] proof = [.. Enumerable.Repeat((byte)7, 32)];
        _credentials.ExpectedProof = proof;
        var peer = Shake();
        Challenge(peer);
        _work.RunAll();
        Accept(peer, 10_000, proof: proof);
        Assert.True(peer.Owner.Opened);
        peer.ReadAll();
        Renew(peer);
        Accept(peer, 10_000, proof: proof);
        Assert.Null(peer.Owner.End);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_renewal_whose_acceptance_has_no_proof_or_a_wrong_one_ends_the_connection(bool hasProof)
    {
        byte[] proof = [.. Enumerable.Repeat((byte)7, 32)];
        _credentials.ExpectedProof = proof;
        var peer = Shake();
        Challenge(peer);
        _work.RunAll();
        Accept(peer, 10_000, proof: proof);
        peer.ReadAll();
        Renew(peer);
        Accept(peer, 10_000, proof: hasProof ? [.. proof[..31], 8] : null);
        Assert.Equal(CloseReason.AuthFailed, peer.Owner.End?.Reason);
        Assert.Contains(hasProof ? "sent a wrong proof" : "does not prove", peer.Owner.End!.Text, StringComparison.Ordinal);
    }

    private void Renew(ScriptedPeer peer)
    {
        peer.Time.Advance(TimeSpan.FromSeconds(8.1));
        _work.RunAll();
        Assert.Equal(FrameKind.Auth, peer.Read().Kind);
    }

    private ScriptedPeer Shake(bool hasCredentials = true)
    {
        var peer = new ScriptedPeer(accepting: false, new ConnectionOptions { Credentials = hasCredentials ? _credentials : null, Work = _work });
        Assert.Equal(FrameKind.Hello, peer.Read().Kind);
        peer.SendHandshake(new PeerSettings { DemandsAuthentication = true });
        Assert.Equal(ConnectionState.Authenticating, peer.Sut.State);
        return peer;
    }

    private ScriptedPeer Open(int lifetimeMilliseconds)
    {
        var peer = Shake();
        Challenge(peer);
        _work.RunAll();
        peer.ReadAll();
        Accept(peer, (uint)lifetimeMilliseconds);
        return peer;
    }

    private static void Challenge(ScriptedPeer peer) => peer.SendFrame(FrameKind.Auth, default, [.. s_nonce, 5, .. "probe"u8, 5, .. "other"u8]);

    private static void Accept(ScriptedPeer peer, uint lifetimeMilliseconds, byte nonce = 1, byte[]? proof = null)
    {
        var accepted = new AuthAccepted(lifetimeMilliseconds, [nonce, .. new byte[31]], proof);
        var payload = new byte[accepted.Length];
        accepted.Write(payload);
        peer.SendFrame(FrameKind.Auth, default, payload, FrameFlags.Answer);
    }
}
