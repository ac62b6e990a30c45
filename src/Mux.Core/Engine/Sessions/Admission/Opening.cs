using Mux.Protocol;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Engine;

/// <summary>
/// Opens a connection: HELLO both ways, then authentication where a side demands it. Members ending in Locked need the connection's lock; OnX members belong to
/// the turn.
/// </summary>
internal sealed class Opening(Session session, Link link)
{
    private readonly ConnectionOptions _options = session.Options;
    private readonly PeerAdmission? _admission =
        session.IsAccepting && session.Options.Admission is { } admission ? new PeerAdmission(session, admission) : null;

    private Login? _login; // only on a dialing side whose peer demands authentication; written by the turn

    /// <summary>True unless the link is known to be encrypted.</summary>
    public bool IsReadable { get; private set; }

    /// <summary>Time of the next authentication work: a credential to renew, or one of the peer that expires.</summary>
    public long DueLocked => Math.Min(_admission?.DueLocked ?? Clock.Never, _login?.DueLocked ?? Clock.Never);

    /// <summary>Starts the link, unless the credentials of this side must not be sent over any link of its kind.</summary>
    public void Start(ILinkHandler handler)
    {
        if (_options.Credentials?.WhyWithheld(null, isEncrypted: false) is { } reason)
        {
            _options.Work.AddUserCode(new Withholding(session, link, handler, reason));
        }
        else
        {
            link.Start(handler);
        }
    }

    /// <summary>The link is up: sends HELLO if this side dialed.</summary>
    public void OnConnected()
    {
        IsReadable = link.ChannelBinding.IsEmpty;
        if (_options.Credentials?.WhyWithheld(link.RemoteAddress, !IsReadable) is { } reason)
        {
            // Before a byte is sent: others could read the credential.
            session.Abort(new ConnectionEnd(CloseReason.AuthFailed, reason));
            return;
        }

        var aftermath = default(Aftermath);
        lock (session.Gate)
        {
            if (session.State != ConnectionState.Connecting) return;
            session.State = ConnectionState.Handshaking;
            if (!session.IsAccepting) session.Control.AppendHello(_options.Local);
            session.FinishLocked(ref aftermath);
        }

        session.Complete(ref aftermath);
    }

    /// <summary>Handles the peer's HELLO.</summary>
    public void OnHello(PeerSettings peer)
    {
        if (!session.IsAccepting && !peer.DemandsAuthentication && _options.Credentials?.WhyNotUnasked is { } reason)
        {
            // An impostor would not ask for the credential.
            session.Close(new ConnectionEnd(CloseReason.AuthFailed, reason),
                new GoAwayFrame(ConnectionCode.AuthFailed, 0, "This side has a credential and was not asked for it."));
            return;
        }

        var identity = _admission?.IdentityOf(link);
        var access = session.IsAccepting ? null : _options.ServerAccess?.Invoke(IsReadable ? null : link.Identity);
        var aftermath = default(Aftermath);
        lock (session.Gate)
        {
            if (session.State != ConnectionState.Handshaking) return;
            session.OnPeerKnownLocked(peer);
            if (access is not null) session.Access = access;
            aftermath.Opened = TryOpenLocked(isKnown: identity is not null);
            session.UpdateNextDueLocked();
        }

        session.Complete(ref aftermath);
        if (!aftermath.Opened && identity is not null) _admission!.Begin(identity);
    }

    /// <summary>Handles a GOAWAY that the peer sent as its answer to the handshake.</summary>
    public void OnRefused(GoAwayFrame refusal) =>
        session.Close(ConnectionEnd.OfPeer(refusal, "refused", _login is { IsAnonymous: true }
            ? " The channel has no credentials: set Credentials in its options, or SharedKey in its configuration."
            : string.Empty), goAway: null);

    /// <summary>Handles an AUTH frame of the peer.</summary>
    public ProtocolViolation? OnAuth(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if (_admission is not null) return _admission.OnAuth(flags, payload);
        return _login is not null ? _login.OnAuth(flags, payload) : new(ConnectionCode.ProtocolError, "AUTH that was not asked for.");
    }

    /// <summary>Renews this side's credential and checks that of the peer, on an open connection.</summary>
    /// <returns>True if the credential of the peer has expired.</returns>
    public bool TickLocked(long now)
    {
        session.AssertLocked();
        if (_login?.DueLocked <= now) _login.RenewLocked();
        if (_admission is null || _admission.DueLocked > now) return false;
        _admission.ExpireLocked();
        return true;
    }

    /// <summary>Ends the work on credentials when the connection is over. No lock is held.</summary>
    public void End()
    {
        _admission?.End();
        _login?.End();
    }

    /// <summary>Opens the connection after HELLO, or begins authentication if a side demands it.</summary>
    /// <returns>True if the connection is open.</returns>
    private bool TryOpenLocked(bool isKnown)
    {
        session.AssertLocked();
        if (_admission is not null)
        {
            session.State = ConnectionState.Authenticating;
            if (isKnown) return false; // HELLO follows when the peer is admitted
            session.Control.AppendHello(_options.Local with { DemandsAuthentication = true });
            session.Outbound.CommitLocked(FrameWriter.Write(session.Outbound.ReserveLocked(FrameWriter.MaxControlFrame), _admission.ChallengeLocked()));
            return false;
        }

        if (session.IsAccepting) session.Control.AppendHello(_options.Local);
        else if (session.Peer.DemandsAuthentication)
        {
            session.State = ConnectionState.Authenticating;
            _login = new Login(session, _options.Credentials);
            return false;
        }

        session.OpenLocked();
        return true;
    }

    /// <summary>
    /// Ends a connection before it was dialed, on a worker: the call that started it is not attached to it yet. The link reports its end when it is started
    /// after that.
    /// </summary>
    private sealed class Withholding(Session session, Link link, ILinkHandler handler, string reason) : IThreadPoolWorkItem
    {
        public void Execute()
        {
            session.Abort(new ConnectionEnd(CloseReason.AuthFailed, reason));
            link.Start(handler);
        }
    }
}
