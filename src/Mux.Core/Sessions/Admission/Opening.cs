using Mux.Framing;
using Mux.Sessions.Lifecycle;
using Mux.Sessions.Setup;
using Mux.Timing;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Sessions.Admission;

/// <summary>
/// How a connection comes to be open: HELLO both ways, and who is at the other end and who this side says it is, where anybody asks. Members ending in Locked
/// need the connection's lock, OnX members belong to the turn.
/// </summary>
/// <param name="session">Of the connection.</param>
/// <param name="link">Its link.</param>
internal sealed class Opening(Session session, Link link)
{
    private readonly ConnectionOptions _options = session.Options;
    private readonly PeerAdmission? _admission = session.GuardsMethods ? new PeerAdmission(session, session.Options.Admission!) : null;
    private Login? _login; // of a dialing side that was asked; written by the turn

    /// <summary>Whether the link is not known to be encrypted.</summary>
    public bool IsReadable { get; private set; }

    /// <summary>When there is something to do about who is there.</summary>
    public long DueLocked => Math.Min(_admission?.DueLocked ?? Clock.Never, _login?.DueLocked ?? Clock.Never);

    /// <summary>Starts the link, unless a credential of this side could be read on every link of its kind.</summary>
    public void Start(ILinkHandler handler)
    {
        if (_options.Credentials?.WhyWithheld(string.Empty, isEncrypted: false) is { } reason) _options.Work
            .AddUserCode(new Withholding(session, link, handler, reason));
        else link.Start(handler);
    }

    /// <summary>The link is up.</summary>
    public void OnConnected()
    {
        IsReadable = link.ChannelBinding.IsEmpty;
        if (_options.Credentials?.WhyWithheld(link.RemoteAddress, !IsReadable) is { } reason)
        {
            session.Abort(new ConnectionEnd(CloseReason.AuthFailed, reason)); // others could read the credential: before a byte is sent
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

    /// <summary>The peer's HELLO is read.</summary>
    public void OnHello(PeerSettings peer)
    {
        if (!session.IsAccepting && !peer.DemandsAuthentication && _options.Credentials?.WhyNotUnasked is { } reason)
        {
            // An impostor would not ask for the credential, either.
            session.Close(new ConnectionEnd(CloseReason.AuthFailed, reason),
                new GoAwayFrame(ConnectionCode.AuthFailed, 0, "This side has a credential and was not asked for it."));
            return;
        }

        var identity = _admission?.IdentityOf(link);
        var aftermath = default(Aftermath);
        lock (session.Gate)
        {
            if (session.State != ConnectionState.Handshaking) return;
            session.OnPeerKnownLocked(peer);
            aftermath.Opened = TryOpenLocked(isKnown: identity is not null);
            session.UpdateNextDueLocked();
        }

        session.Complete(ref aftermath);
        if (!aftermath.Opened && identity is not null) _admission!.Begin(identity);
    }

    /// <summary>The peer answered the handshake with GOAWAY.</summary>
    public void OnRefused(GoAwayFrame refusal) =>
        session.Close(ConnectionEnd.OfPeer(refusal, "refused", _login is { IsAnonymous: true } ? " This side has no credential to show: set Credentials in " +
            "the options of the channel." : string.Empty), goAway: null);

    /// <summary>An AUTH of the peer.</summary>
    public ProtocolViolation? OnAuth(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if (_admission is not null) return _admission.OnAuth(flags, payload);
        return _login is not null ? _login.OnAuth(flags, payload) : new(ConnectionCode.ProtocolError, "AUTH that was not asked for.");
    }

    /// <summary>Time has passed on an open connection: this side may need another credential.</summary>
    /// <returns>Whether the credential of the peer has expired.</returns>
    public bool TickLocked(long now)
    {
        if (_login?.DueLocked <= now) _login.RenewLocked();
        if (_admission is null || _admission.DueLocked > now) return false;
        _admission.ExpireLocked();
        return true;
    }

    /// <summary>The connection is over. No lock is held.</summary>
    public void End()
    {
        _admission?.End();
        _login?.End();
    }

    /// <summary>HELLO was the last thing that could be done without knowing who is there; or nobody asks.</summary>
    /// <returns>Whether the connection is open.</returns>
    private bool TryOpenLocked(bool isKnown)
    {
        if (_admission is not null)
        {
            session.State = ConnectionState.Authenticating;
            if (isKnown) return false; // HELLO follows when it may stay
            session.Control.AppendHello(_options.Local with { DemandsAuthentication = true });
            session.Outbound.CommitLocked(FrameWriter.Challenge(session.Outbound.ReserveLocked(FrameWriter.MaxControlFrame), _admission.ChallengeLocked()));
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
    /// Ends a connection that was not dialed, on another thread: the call that began it is not attached to it yet. A link that is closed first reports its end
    /// when it is started.
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
