using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// The dialing side's part of a connection whose peer asks who this side is (PROTOCOL.md section 3.7): has a credential made elsewhere, shows it, and shows another one before it expires. Members ending in Locked
/// need the connection's lock.
/// </summary>
/// <param name="connection">Whose part it is.</param>
/// <param name="provider">Null for a side that has no credential, and says so.</param>
#pragma warning disable CA1001 // See _ending.
internal sealed class Login(Connection connection, ICredentialProvider? provider)
#pragma warning restore CA1001
{
    /// <summary>A credential is renewed so long (microseconds) before its end, or when a fifth of its time is left if that is later.</summary>
    private const long Margin = 60_000_000;

    /// <summary>Between two credentials.</summary>
    private const long LeastPause = 1_000_000;

    private readonly CancellationTokenSource _ending = new(); // it has no timer and no wait handle: there is nothing to dispose
    private IReadOnlyList<string> _schemes = [];
    private byte[] _nonce = [];
    private bool _isChallenged;
    private bool _isProviding;
    private bool _awaitsAnswer;
    private long _expiresAt = Clock.Never;

    /// <summary>When the next credential is made.</summary>
    public long DueLocked { get; private set; } = Clock.Never;

    /// <summary>Whether this side has nothing to show.</summary>
    public bool IsAnonymous => provider is null;

    /// <summary>An AUTH of the peer. In the turn.</summary>
    /// <returns>The rule that it breaks, or null.</returns>
    public ProtocolViolation? OnAuth(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if (flags != FrameFlags.None) return OnAccepted(payload);
        if (_isChallenged) return new(ConnectionCode.ProtocolError, "A second challenge.");
        if (!AuthChallenge.TryRead(payload, out var challenge, out var violation)) return violation;
        _isChallenged = true;
        _schemes = challenge!.Schemes;
        _nonce = challenge.Nonce;
        if (provider is null) connection.SendCredential(AuthCredential.Make(string.Empty, []));
        else Begin();
        return null;
    }

    /// <summary>Time has come to make the next credential.</summary>
    public void RenewLocked()
    {
        DueLocked = Clock.Never;
        if (provider is not null && !_isProviding && !_awaitsAnswer) Begin();
    }

    /// <summary>A credential is being sent.</summary>
    public void OnSendLocked()
    {
        _isProviding = false;
        _awaitsAnswer = true;
    }

    /// <summary>There is no new credential; perhaps there is one later, while the old one still holds.</summary>
    public void OnFailedLocked(long now)
    {
        _isProviding = false;
        long left = _expiresAt - now;
        if (left > LeastPause) DueLocked = Clock.After(now, Math.Max(LeastPause, left / 2));
    }

    /// <summary>The connection is over. No lock is held.</summary>
    public void End() => _ = _ending.CancelAsync(); // who listens is user code

    private ProtocolViolation? OnAccepted(ReadOnlySpan<byte> payload)
    {
        if (!AuthAccepted.TryRead(payload, out var accepted, out var violation)) return violation;
        lock (connection.Gate)
        {
            if (!_awaitsAnswer) return new(ConnectionCode.ProtocolError, "An answer to AUTH that was not sent.");
            _awaitsAnswer = false;
            _nonce = accepted!.Nonce;
            long lifetime = accepted.LifetimeMilliseconds * Clock.MicrosecondsPerMillisecond;
            long now = connection.Clock.Now;
            _expiresAt = lifetime == 0 ? Clock.Never : now + lifetime;
            DueLocked = lifetime is 0 or < LeastPause || provider is null ? Clock.Never : now + Math.Max(LeastPause, Math.Max(lifetime - lifetime / 5, lifetime - Margin));
        }

        connection.OnAuthenticated();
        return null;
    }

    private void Begin()
    {
        _isProviding = true;
        connection.Options.Work.AddUserCode(new Provision(this));
    }

    private async Task ProvideAsync()
    {
        try
        {
            connection.SendCredential(await provider!.ProvideAsync(_schemes, _nonce, connection.ChannelBinding, _ending.Token).ConfigureAwait(false));
        }
        catch (Exception error)
        {
            connection.OnNoCredential(error);
        }
    }

    /// <summary>Makes one credential, on a worker.</summary>
    private sealed class Provision(Login login) : IThreadPoolWorkItem
    {
        public void Execute() => _ = login.ProvideAsync();
    }
}
