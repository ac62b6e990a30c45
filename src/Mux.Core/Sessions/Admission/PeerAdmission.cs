using System.Security.Cryptography;
using Mux.Framing;
using Mux.Sessions.Lifecycle;
using Mux.Sessions.Setup;
using Mux.Timing;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Sessions.Admission;

/// <summary>
/// The accepting side's part of a connection whose peers have to say who they are (PROTOCOL.md section 3.7): challenges, has credentials looked at elsewhere,
/// one at a time, and knows what the peer may do and for how long. Members ending in Locked need the connection's lock.
/// </summary>
#pragma warning disable CA1001 // See _ending.
internal sealed class PeerAdmission(Session session, IAdmission admission)
#pragma warning restore CA1001
{
    /// <summary>A peer whose credential is taken may show the next one so long (microseconds) after: each costs a decision. It waits for a second.</summary>
    private const long LeastPause = 500_000;

    private readonly CancellationTokenSource _ending = new(); // it has no timer and no wait handle: there is nothing to dispose
    private byte[] _nonce = [];
    private bool _takesCredentials;
    private bool _isDeciding;
    private long _decidedAt;

    /// <summary>When its credential expires.</summary>
    public long DueLocked { get; private set; } = Clock.Never;

    /// <summary>Who the link says the peer is, if that is enough. Asks the operating system: not under the lock.</summary>
    public PeerIdentity? IdentityOf(Link link) => admission.TakesIdentityOfLink ? link.Identity : null;

    /// <summary>What goes behind HELLO to a peer that has to say who it is.</summary>
    public AuthChallenge ChallengeLocked()
    {
        _takesCredentials = true;
        return new AuthChallenge(NewNonceLocked(), admission.Schemes);
    }

    /// <summary>Has an identity looked at that needs no AUTH. In the turn, once.</summary>
    public void Begin(PeerIdentity identity) => Begin(new PeerEvidence(session.RemoteAddress, [], [], identity));

    /// <summary>An AUTH of the peer. In the turn.</summary>
    /// <returns>The rule that it breaks, or null.</returns>
    public ProtocolViolation? OnAuth(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        byte[] nonce;
        bool renews;
        lock (session.Gate)
        {
            bool isOpen = session.State == ConnectionState.Open;
            if (flags != FrameFlags.None || !_takesCredentials) return new(ConnectionCode.ProtocolError, "AUTH that was not asked for.");
            if (_isDeciding) return new(ConnectionCode.ProtocolError, "AUTH while another one is looked at.");
            if (isOpen && DueLocked == Clock.Never && !session.IsAccessExpired)
            {
                return new(ConnectionCode.ProtocolError, "AUTH of a peer whose credential does not expire.");
            }

            if (isOpen && session.Clock.Now - _decidedAt < LeastPause) return new(ConnectionCode.ProtocolError, "AUTH follows the last one too soon.");
            if (payload.Length > AuthCredential.MaxLength)
            {
                return new(ConnectionCode.AuthFailed, $"AUTH of {payload.Length} bytes; at most {AuthCredential.MaxLength} are taken.");
            }

            _isDeciding = true;
            nonce = _nonce;
            renews = isOpen;
        }

        Begin(new PeerEvidence(session.RemoteAddress, payload.ToArray(), nonce, null) { ChannelBinding = session.ChannelBinding, Renews = renews });
        return null;
    }

    /// <summary>The time of the credential is over.</summary>
    public void ExpireLocked()
    {
        DueLocked = Clock.Never;
        session.IsAccessExpired = true;
        session.News.SetLocked();
    }

    /// <summary>The connection is over. No lock is held.</summary>
    public void End() => _ = _ending.CancelAsync(); // who listens is user code

    private void Begin(PeerEvidence evidence) => session.Options.Work.AddUserCode(new Decision(this, evidence));

    private async Task DecideAsync(PeerEvidence evidence)
    {
        var decision = await admission.DecideAsync(evidence, _ending.Token).ConfigureAwait(false);
        if (decision.Access is { } access) Admit(access, decision.Proof);
        // it is not known whether the next credential is good: the peer stays until the last one expires, and may ask again
        else if (decision.IsUndecided && session.Access is { } last && !session.IsAccessExpired) Admit(last, decision.Proof);
        else Refuse(session, decision.Reason);
    }

    /// <summary>The peer may not stay: it is not told why. From any thread.</summary>
    /// <param name="session">Of the connection.</param>
    /// <param name="reason">For this side's log alone.</param>
    public static void Refuse(Session session, string reason) =>
        session.Close(new ConnectionEnd(CloseReason.AuthFailed, reason), new GoAwayFrame(ConnectionCode.AuthFailed, 0, ConnectionEnd.AuthRefusal));

    /// <summary>The peer may stay. From any thread.</summary>
    /// <param name="access">What it may do.</param>
    /// <param name="proof">What it is shown of this side; empty for nothing.</param>
    private void Admit(PeerAccess access, ReadOnlyMemory<byte> proof)
    {
        var aftermath = default(Aftermath);
        lock (session.Gate)
        {
            aftermath.Opened = session.State == ConnectionState.Authenticating;
            if (!aftermath.Opened && session.State != ConnectionState.Open) return;
            var accepted = AdmitLocked(access, proof);
            if (accepted is not null) session.Outbound
                .CommitLocked(FrameWriter.Accepted(session.Outbound.ReserveLocked(FrameWriter.MaxControlFrame), accepted));
            else session.Control.AppendHello(session.Options.Local);
            if (aftermath.Opened) session.OpenLocked();
            session.News.SetLocked();
            session.FinishLocked(ref aftermath);
            session.UpdateNextDueLocked();
        }

        if (access.User is not null) session.Memory?.LeaveAddress(); // a peer without a name counts by where it is
        session.Complete(ref aftermath);
    }

    /// <returns>What the peer is told; null if it did not show a credential.</returns>
    private AuthAccepted? AdmitLocked(PeerAccess access, ReadOnlyMemory<byte> proof)
    {
        long now = session.Clock.Now;
        long left = access.ExpiresAt is { } end ? Math.Max(0, Clock.Microseconds(end - session.Clock.Provider.GetUtcNow())) : Clock.Never;
        DueLocked = Clock.After(now, left);
        session.Access = access;
        session.IsAccessExpired = false;
        _isDeciding = false;
        _decidedAt = now;
        if (!_takesCredentials) return null;
        uint milliseconds = left == Clock.Never ? 0 : (uint)Math.Clamp(left / Clock.MicrosecondsPerMillisecond, 1, uint.MaxValue);
        return new AuthAccepted(milliseconds, NewNonceLocked(), proof);
    }

    private byte[] NewNonceLocked() => _nonce = RandomNumberGenerator.GetBytes(AuthChallenge.NonceLength);

    /// <summary>One decision, on a worker.</summary>
    private sealed class Decision(PeerAdmission admission, PeerEvidence evidence) : IThreadPoolWorkItem
    {
        public void Execute() => _ = admission.DecideAsync(evidence);
    }
}
