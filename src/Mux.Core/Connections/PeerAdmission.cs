using System.Security.Cryptography;
using Mux.Contracts;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// The accepting side's part of a connection whose peers have to say who they are (PROTOCOL.md section 3.7): challenges, has credentials looked at elsewhere, one at a time, and knows what the peer may do and for
/// how long. Members ending in Locked need the connection's lock.
/// </summary>
#pragma warning disable CA1001 // See _ending.
internal sealed class PeerAdmission(Connection connection, IAdmission admission)
#pragma warning restore CA1001
{
    /// <summary>All that a peer is told of why it may not stay.</summary>
    public const string Refusal = "Authentication failed.";

    /// <summary>A peer whose credential is taken may show the next one so long (microseconds) after: each costs a decision. It waits for a second.</summary>
    private const long LeastPause = 500_000;

    private readonly CancellationTokenSource _ending = new(); // it has no timer and no wait handle: there is nothing to dispose
    private volatile PeerAccess? _access; // written under the lock
    private volatile bool _isExpired;
    private byte[] _nonce = [];
    private bool _takesCredentials;
    private bool _isDeciding;
    private long _decidedAt;

    /// <summary>What the peer may do; null until it is let in.</summary>
    public PeerAccess? Access => _access;

    /// <summary>When its credential expires.</summary>
    public long DueLocked { get; private set; } = Clock.Never;

    /// <summary>Who the link says the peer is, if that is enough. Asks the operating system: not under the lock.</summary>
    public PeerIdentity? IdentityOf(Link link) => admission.TakesIdentityOfLink ? link.Identity : null;

    /// <summary>Whether the peer may call a method. In the turn.</summary>
    public MuxStatus Judge(MethodDescriptor method) => _access is { } access ? access.Judge(method, _isExpired) : MuxStatus.Unauthenticated;

    /// <summary>What goes behind HELLO to a peer that has to say who it is.</summary>
    public AuthChallenge ChallengeLocked()
    {
        _takesCredentials = true;
        return new AuthChallenge(NewNonceLocked(), admission.Schemes);
    }

    /// <summary>Has an identity looked at that needs no AUTH. In the turn, once.</summary>
    public void Begin(PeerIdentity identity) => Begin(new PeerEvidence(connection.RemoteAddress, [], [], identity));

    /// <summary>An AUTH of the peer. In the turn.</summary>
    /// <returns>The rule that it breaks, or null.</returns>
    public ProtocolViolation? OnAuth(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        byte[] nonce;
        bool renews;
        lock (connection.Gate)
        {
            bool isOpen = connection.State == ConnectionState.Open;
            if (flags != FrameFlags.None || !_takesCredentials) return new(ConnectionCode.ProtocolError, "AUTH that was not asked for.");
            if (_isDeciding) return new(ConnectionCode.ProtocolError, "AUTH while another one is looked at.");
            if (isOpen && DueLocked == Clock.Never && !_isExpired) return new(ConnectionCode.ProtocolError, "AUTH of a peer whose credential does not expire.");
            if (isOpen && connection.Clock.Now - _decidedAt < LeastPause) return new(ConnectionCode.ProtocolError, "AUTH follows the last one too soon.");
            if (payload.Length > AuthCredential.MaxLength) return new(ConnectionCode.AuthFailed, $"AUTH of {payload.Length} bytes; at most {AuthCredential.MaxLength} are taken.");
            _isDeciding = true;
            nonce = _nonce;
            renews = isOpen;
        }

        Begin(new PeerEvidence(connection.RemoteAddress, payload.ToArray(), nonce, null) { ChannelBinding = connection.ChannelBinding, Renews = renews });
        return null;
    }

    /// <summary>The time of the credential is over.</summary>
    public void ExpireLocked()
    {
        DueLocked = Clock.Never;
        _isExpired = true;
    }

    /// <summary>The connection is over. No lock is held.</summary>
    public void End() => _ = _ending.CancelAsync(); // who listens is user code

    private void Begin(PeerEvidence evidence) => connection.Options.Work.AddUserCode(new Decision(this, evidence));

    private async Task DecideAsync(PeerEvidence evidence)
    {
        var decision = await admission.DecideAsync(evidence, _ending.Token).ConfigureAwait(false);
        if (decision.Access is { } access) connection.AdmitPeer(access);
        else if (decision.IsUndecided && _access is { } last && !_isExpired) connection.AdmitPeer(last); // nobody could tell whether the next credential is good: it stays until the last one expires, and may ask again
        else connection.RefusePeer(decision.Reason);
    }

    /// <summary>The peer is let in, or may stay.</summary>
    /// <returns>What it is told; null if it did not show a credential.</returns>
    public AuthAccepted? AdmitLocked(PeerAccess access)
    {
        long now = connection.Clock.Now;
        long left = access.ExpiresAt is { } end ? Math.Max(0, Clock.Microseconds(end - connection.Clock.Provider.GetUtcNow())) : Clock.Never;
        DueLocked = Clock.After(now, left);
        _access = access;
        _isExpired = false;
        _isDeciding = false;
        _decidedAt = now;
        if (!_takesCredentials) return null;
        uint milliseconds = left == Clock.Never ? 0 : (uint)Math.Clamp(left / Clock.MicrosecondsPerMillisecond, 1, uint.MaxValue);
        return new AuthAccepted(milliseconds, NewNonceLocked());
    }

    private byte[] NewNonceLocked() => _nonce = RandomNumberGenerator.GetBytes(AuthChallenge.NonceLength);

    /// <summary>One decision, on a worker.</summary>
    private sealed class Decision(PeerAdmission admission, PeerEvidence evidence) : IThreadPoolWorkItem
    {
        public void Execute() => _ = admission.DecideAsync(evidence);
    }
}
