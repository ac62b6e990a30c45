using Mux.Connections.Budgets;
using Mux.Framing;
using Mux.Wire;

namespace Mux.Connections;

/// <content>Who is at the other end, and who this side says it is: null parts where nobody asks.</content>
internal sealed partial class Connection
{
    private readonly PeerAdmission? _admission; // of an accepting side
    private Login? _login; // of a dialing side that was asked; written by the turn

    private bool _hasNewsForRequests; // written under Gate, read by the turn

    /// <summary>What the peer has to pass; null if everybody may call everything.</summary>
    public PeerAdmission? Admission => _admission;

    /// <summary>Whether, since the turn last looked, the drain was acknowledged, the peer's identity changed, or a request could not be decoded.</summary>
    public bool HasNewsForRequests => Volatile.Read(ref _hasNewsForRequests);

    /// <summary>The turn looks at what a peer may do anew.</summary>
    public void TakeAccessNews()
    {
        lock (Gate) _hasNewsForRequests = RefusesRequests;
    }

    /// <summary>A request of a method could not be decoded. Any thread: the turn counts it before the next request.</summary>
    public void OnUndecodable(ushort ordinal)
    {
        if (Options.Budgets.Misuse == BudgetLimits.Unbounded) return;
        lock (Gate)
        {
            Budgets.NoteUndecodableLocked(ordinal);
            _hasNewsForRequests = true;
        }
    }

    /// <summary>An AUTH of the peer. In the turn.</summary>
    public ProtocolViolation? OnAuth(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if (_admission is not null) return _admission.OnAuth(flags, payload);
        return _login is not null ? _login.OnAuth(flags, payload) : new(ConnectionCode.ProtocolError, "AUTH that was not asked for.");
    }

    /// <summary>The peer may stay. From any thread.</summary>
    public void AdmitPeer(PeerAccess access)
    {
        var aftermath = default(Aftermath);
        bool opens;
        lock (Gate)
        {
            opens = _state == ConnectionState.Authenticating;
            if (!opens && _state != ConnectionState.Open) return;
            var accepted = _admission!.AdmitLocked(access);
            if (accepted is not null) Outbound.CommitLocked(FrameWriter.Accepted(Outbound.ReserveLocked(FrameWriter.MaxControlFrame), accepted));
            else _control.AppendHello(Options.Local);
            if (opens) OpenLocked();
            _hasNewsForRequests = true;
            FinishLocked(ref aftermath);
            UpdateNextDueLocked();
        }

        Memory?.LeaveAddress(); // it is known who holds what
        if (opens) _owner.OnOpened(this);
        Complete(ref aftermath);
    }

    /// <summary>The peer may not stay: it is not told why. From any thread.</summary>
    public void RefusePeer(string reason) => Close(new ConnectionEnd(CloseReason.AuthFailed, reason), new GoAwayFrame(ConnectionCode.AuthFailed, 0, PeerAdmission.Refusal));

    /// <summary>Shows a credential. From any thread.</summary>
    /// <param name="payload">Of AUTH; wiped.</param>
    public void SendCredential(byte[] payload)
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (_state is ConnectionState.Authenticating or ConnectionState.Open)
            {
                _login!.OnSendLocked();
                var frame = Outbound.ReserveLocked(FrameHeader.Size + payload.Length);
                Outbound.SetSecretLocked();
                Outbound.CommitLocked(FrameWriter.Credential(frame, payload));
                FinishLocked(ref aftermath);
            }
        }

        Array.Clear(payload);
        Complete(ref aftermath);
    }

    /// <summary>There is no credential to show. From any thread.</summary>
    public void OnNoCredential(Exception error)
    {
        lock (Gate)
        {
            if (_state == ConnectionState.Open)
            {
                _login!.OnFailedLocked(Clock.Now);
                UpdateNextDueLocked();
                return;
            }
        }

        Close(new ConnectionEnd(CloseReason.AuthFailed, $"There is no credential to show: {error.Message}", error), goAway: null);
    }

    /// <summary>The peer takes this side's credential. In the turn.</summary>
    public void OnAuthenticated()
    {
        bool opens;
        lock (Gate)
        {
            opens = _state == ConnectionState.Authenticating;
            if (opens) OpenLocked();
            UpdateNextDueLocked();
        }

        if (opens) _owner.OnOpened(this);
    }

    /// <summary>HELLO was the last thing that could be done without knowing who is there; or nobody asks.</summary>
    /// <returns>Whether the connection is open.</returns>
    private bool TryOpenLocked(bool isKnown)
    {
        if (_admission is not null)
        {
            _state = ConnectionState.Authenticating;
            if (isKnown) return false; // HELLO follows when it may stay
            _control.AppendHello(Options.Local with { DemandsAuthentication = true });
            Outbound.CommitLocked(FrameWriter.Challenge(Outbound.ReserveLocked(FrameWriter.MaxControlFrame), _admission.ChallengeLocked()));
            return false;
        }

        if (_accepting) _control.AppendHello(Options.Local);
        else if (Peer.DemandsAuthentication)
        {
            _state = ConnectionState.Authenticating;
            _login = new Login(this, Options.Credentials);
            return false;
        }

        OpenLocked();
        return true;
    }

    private void OpenLocked()
    {
        _state = ConnectionState.Open;
        long now = Clock.Now;
        _timers.Open(now);
        _keepAlive.Start(now);
    }

    private long IdentityDueLocked => Math.Min(_admission?.DueLocked ?? Clock.Never, _login?.DueLocked ?? Clock.Never);

    private void TickIdentityLocked(long now, ref Aftermath aftermath)
    {
        if (_login?.DueLocked <= now) _login.RenewLocked();
        if (_admission is not { } admission || admission.DueLocked > now) return;
        admission.ExpireLocked();
        _hasNewsForRequests = true;
        BeginDrainLocked(CloseReason.CredentialExpired, ConnectionCode.Draining, now, Options.ExpiryGrace, ref aftermath);
    }

    private void EndIdentity()
    {
        _admission?.End();
        _login?.End();
    }
}
