using System.Security.Cryptography;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Engine;

/// <summary>
/// The accepting side's part of authentication (PROTOCOL.md section 3.7). Sends the challenge, has credentials checked by <see cref="IAdmission"/> one at a
/// time, and keeps what the peer may do and until when. Members ending in Locked need the connection's lock.
/// </summary>
#pragma warning disable CA1001 // See _ending.
internal sealed class PeerAdmission(Session session, IAdmission admission)
#pragma warning restore CA1001
{
    /// <summary>Least time (microseconds) between two credentials of a peer: each one costs a check. Dialing sides of this implementation wait 1 s.</summary>
    private const long LeastPause = 500_000;

    private readonly CancellationTokenSource _ending = new(); // has no timer and no wait handle, so it needs no Dispose
    private byte[] _nonce = [];
    private bool _takesCredentials;
    private bool _isDeciding;
    private long _decidedAt;

    /// <summary>Time at which the peer's credential expires.</summary>
    public long DueLocked { get; private set; } = Clock.Never;

    /// <summary>Gets the identity that the link gives to the peer, if that is sufficient. Not under the lock: asks the operating system.</summary>
    public PeerIdentity? IdentityOf(Link link) => admission.TakesIdentityOfLink ? link.Identity : null;

    /// <summary>Gets the challenge that follows HELLO.</summary>
    public AuthChallenge ChallengeLocked()
    {
        session.AssertLocked();
        _takesCredentials = true;
        return new AuthChallenge(NewNonceLocked(), admission.Schemes);
    }

    /// <summary>Starts the check of an identity that needs no AUTH. In the turn, once.</summary>
    public void Begin(PeerIdentity identity) => Begin(new PeerEvidence(session.RemoteAddress, [], [], identity) { Place = session.PeerPlace });

    /// <summary>Handles an AUTH frame of the peer. In the turn.</summary>
    /// <returns>The rule that the frame breaks, or null.</returns>
    public ProtocolViolation? OnAuth(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        byte[] nonce;
        bool renews;
        lock (session.Gate)
        {
            bool isOpen = session.State == ConnectionState.Open;
            if (flags != FrameFlags.None || !_takesCredentials) return new(ConnectionCode.ProtocolError, "AUTH that was not asked for.");
            if (_isDeciding) return new(ConnectionCode.ProtocolError, "AUTH while the previous one is still being checked.");
            if (isOpen && DueLocked == Clock.Never && !session.IsAccessExpired)
            {
                return new(ConnectionCode.ProtocolError, "AUTH of a peer whose credential does not expire.");
            }

            if (isOpen && session.Clock.Now - _decidedAt < LeastPause) return new(ConnectionCode.ProtocolError, "AUTH follows the last one too soon.");
            if (payload.Length > AuthCredential.MaxLength)
            {
                return new(ConnectionCode.AuthFailed, $"AUTH of {payload.Length} bytes; at most {AuthCredential.MaxLength} are accepted.");
            }

            _isDeciding = true;
            nonce = _nonce;
            renews = isOpen;
        }

        Begin(new PeerEvidence(session.RemoteAddress, payload.ToArray(), nonce, null)
        {
            Place = session.PeerPlace,
            ChannelBinding = session.ChannelBinding,
            Renews = renews,
        });
        return null;
    }

    /// <summary>Marks the peer's credential as expired.</summary>
    public void ExpireLocked()
    {
        session.AssertLocked();
        DueLocked = Clock.Never;
        session.IsAccessExpired = true;
        session.News.Set();
    }

    /// <summary>Cancels a check that is running when the connection is over. No lock is held.</summary>
    public void End() => _ = _ending.CancelAsync(); // CancelAsync: callbacks are user code

    private void Begin(PeerEvidence evidence) => session.Options.Work.AddUserCode(new Decision(this, evidence));

    private async Task DecideAsync(PeerEvidence evidence)
    {
        var decision = await admission.DecideAsync(evidence, _ending.Token).ConfigureAwait(false);
        if (decision.Access is { } other && evidence.Renews && NameOf(other) != NameOf(session.Access))
        {
            // Groups, states and lists of users know the connection by its first user: what is sent to that one must not reach another.
            Refuse(session, "The peer renewed its credential as another user than the one whose connection this is. It has to connect anew.");
        }
        else if (decision.Access is { } access) Admit(access, decision.Proof);
        // The check failed to decide: the peer stays until its last credential expires, and may send the next one again.
        else if (decision.IsUndecided && session.Access is { } last && !session.IsAccessExpired) Admit(last, decision.Proof);
        else Refuse(session, decision.Reason);
    }

    private static string? NameOf(PeerAccess? access) => access?.User?.Identity?.Name;

    /// <summary>Closes the connection of a peer that may not stay, without telling it why. From any thread.</summary>
    public static void Refuse(Session session, string reason) =>
        session.Close(new ConnectionEnd(CloseReason.AuthFailed, reason), new GoAwayFrame(ConnectionCode.AuthFailed, 0, ConnectionEnd.AuthRefusal));

    /// <summary>Lets the peer stay. From any thread.</summary>
    /// <param name="access">What the peer may do, and until when.</param>
    /// <param name="proof">Shown to the peer to authenticate this side; empty for none.</param>
    private void Admit(PeerAccess access, ReadOnlyMemory<byte> proof)
    {
        var aftermath = default(Aftermath);
        lock (session.Gate)
        {
            aftermath.Opened = session.State == ConnectionState.Authenticating;
            if (!aftermath.Opened && session.State != ConnectionState.Open) return;
            var accepted = AdmitLocked(access, proof);
            if (accepted is not null)
            {
                session.Outbound.CommitLocked(FrameWriter.Write(session.Outbound.ReserveLocked(FrameWriter.MaxControlFrame), accepted));
            }
            else
            {
                session.Control.AppendHello(session.Options.Local);
            }
            if (aftermath.Opened) session.OpenLocked();
            session.News.Set();
            session.FinishLocked(ref aftermath);
            session.UpdateNextDueLocked();
        }

        if (access.User is not null) session.Memory?.LeaveAddress(); // only peers without a name count by their address
        session.Complete(ref aftermath);
    }

    /// <returns>The answer to the peer's credential; null if the peer did not show one.</returns>
    private AuthAccepted? AdmitLocked(PeerAccess access, ReadOnlyMemory<byte> proof)
    {
        session.AssertLocked();
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

    private byte[] NewNonceLocked()
    {
        session.AssertLocked();
        return _nonce = RandomNumberGenerator.GetBytes(AuthChallenge.NonceLength);
    }

    /// <summary>Checks one credential, on a worker.</summary>
    private sealed class Decision(PeerAdmission admission, PeerEvidence evidence) : IThreadPoolWorkItem
    {
        public void Execute() => _ = admission.DecideAsync(evidence);
    }
}
