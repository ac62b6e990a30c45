using System.Security.Cryptography;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// The dialing side's part of authentication (PROTOCOL.md section 3.7). Gets a credential from the provider, sends it, and sends the next one before it
/// expires. Members ending in Locked need the connection's lock.
/// </summary>
/// <param name="session">The session of the connection.</param>
/// <param name="provider">Null if this side has no credential: it then says so to the peer.</param>
#pragma warning disable CA1001 // See _ending.
internal sealed class Login(Session session, ICredentialProvider? provider)
#pragma warning restore CA1001
{
    /// <summary>A credential is renewed this long (microseconds) before it expires, or when a fifth of its lifetime is left if that is later.</summary>
    private const long Margin = 60_000_000;

    /// <summary>Least time between two credentials, microseconds.</summary>
    private const long LeastPause = 1_000_000;

    private readonly CancellationTokenSource _ending = new(); // has no timer and no wait handle, so it needs no Dispose
    private IReadOnlyList<string> _schemes = [];
    private byte[] _nonce = [];
    private byte[] _expectedProof = [];
    private bool _isChallenged;
    private bool _isProviding;
    private bool _awaitsAnswer;
    private long _expiresAt = Clock.Never;

    /// <summary>Time at which the next credential is made.</summary>
    public long DueLocked { get; private set; } = Clock.Never;

    /// <summary>True if this side has no credential.</summary>
    public bool IsAnonymous => provider is null;

    /// <summary>Handles an AUTH frame of the peer. In the turn.</summary>
    /// <returns>The rule that the frame breaks, or null.</returns>
    public ProtocolViolation? OnAuth(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if (flags != FrameFlags.None) return OnAccepted(payload);
        if (_isChallenged) return new(ConnectionCode.ProtocolError, "A second challenge.");
        if (!AuthChallenge.TryRead(payload, out var challenge, out var violation)) return violation;
        _isChallenged = true;
        _schemes = challenge!.Schemes;
        _nonce = challenge.Nonce;
        if (provider is null) Send(new ShownCredential(AuthCredential.Make(string.Empty, []), []));
        else Begin();
        return null;
    }

    /// <summary>Makes the next credential: its time has come.</summary>
    public void RenewLocked()
    {
        session.AssertLocked();
        DueLocked = Clock.Never;
        if (provider is not null && !_isProviding && !_awaitsAnswer) Begin();
    }

    /// <summary>Cancels the provider when the connection is over. No lock is held.</summary>
    public void End() => _ = _ending.CancelAsync(); // CancelAsync: callbacks are user code

    /// <summary>Sends a credential and wipes its payload. From any thread.</summary>
    private void Send(ShownCredential credential)
    {
        var payload = credential.Payload;
        var aftermath = default(Aftermath);
        lock (session.Gate)
        {
            if (session.State is ConnectionState.Authenticating or ConnectionState.Open)
            {
                _expectedProof = credential.ExpectedProof;
                _isProviding = false;
                _awaitsAnswer = true;
                var frame = session.Outbound.ReserveLocked(FrameHeader.Size + payload.Length);
                session.Outbound.SetSecretLocked();
                session.Outbound.CommitLocked(FrameWriter.Credential(frame, payload));
                session.FinishLocked(ref aftermath);
            }
        }

        Array.Clear(payload);
        session.Complete(ref aftermath);
    }

    /// <summary>Handles a provider that failed. While the old credential is valid, the provider is tried again later. From any thread.</summary>
    private void OnNone(Exception error)
    {
        lock (session.Gate)
        {
            if (session.State == ConnectionState.Open)
            {
                RetryLocked(session.Clock.Now);
                session.UpdateNextDueLocked();
                return;
            }
        }

        var end = new ConnectionEnd(CloseReason.AuthFailed, $"The channel has no credential for the server: {error.Message}", error);
        // The peer is not told why: the error may hold a secret.
        session.Close(end, new GoAwayFrame(ConnectionCode.AuthFailed, 0, "This side has no credential to show."));
    }

    private void RetryLocked(long now)
    {
        session.AssertLocked();
        _isProviding = false;
        long left = _expiresAt - now;
        if (left > LeastPause) DueLocked = Clock.After(now, Math.Max(LeastPause, left / 2));
    }

    /// <summary>The peer has accepted this side's credential. In the turn.</summary>
    private void OnTaken()
    {
        var aftermath = default(Aftermath);
        lock (session.Gate)
        {
            aftermath.Opened = session.State == ConnectionState.Authenticating;
            if (aftermath.Opened) session.OpenLocked();
            session.UpdateNextDueLocked();
        }

        session.Complete(ref aftermath);
    }

    private ProtocolViolation? OnAccepted(ReadOnlySpan<byte> payload)
    {
        if (!AuthAccepted.TryRead(payload, out var accepted, out var violation)) return violation;
        lock (session.Gate)
        {
            if (!_awaitsAnswer) return new(ConnectionCode.ProtocolError, "An answer to AUTH that was not sent.");
            _awaitsAnswer = false;
            if (!CryptographicOperations.FixedTimeEquals(_expectedProof, accepted!.Proof.Span)) return new(ConnectionCode.AuthFailed, ReasonOf(accepted.Proof));
            _nonce = accepted.Nonce;
            long lifetime = accepted.LifetimeMilliseconds * Clock.MicrosecondsPerMillisecond;
            long now = session.Clock.Now;
            _expiresAt = lifetime == 0 ? Clock.Never : now + lifetime;
            DueLocked = lifetime is 0 or < LeastPause || provider is null
                ? Clock.Never
                : now + Math.Max(LeastPause, Math.Max(lifetime - lifetime / 5, lifetime - Margin));
        }

        OnTaken();
        return null;
    }

    private string ReasonOf(ReadOnlyMemory<byte> proof)
    {
        if (_expectedProof.Length == 0)
        {
            return $"{session.PeerPlace} accepted the credential and proves its identity, but the channel's credentials expect no proof. If they wrap " +
                "other credentials, forward GetExpectedProof.";
        }

        var what = proof.IsEmpty ? "does not prove that it has" : "sent a wrong proof that it has";
        return $"{session.PeerPlace} accepted the credential but {what} the key: it is not the server that shares the key, or a machine in between " +
            "answers for that server.";
    }

    private void Begin()
    {
        _isProviding = true;
        session.Options.Work.AddUserCode(new Provision(this));
    }

    private async Task ProvideAsync()
    {
        try
        {
            Send(await provider!.ProvideAsync(_schemes, _nonce, session.ChannelBinding, _ending.Token).ConfigureAwait(false));
        }
        catch (Exception error)
        {
            OnNone(error);
        }
    }

    /// <summary>Makes one credential, on a worker.</summary>
    private sealed class Provision(Login login) : IThreadPoolWorkItem
    {
        public void Execute() => _ = login.ProvideAsync();
    }
}
