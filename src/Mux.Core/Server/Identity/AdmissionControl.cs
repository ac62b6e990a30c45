using System.Collections.Frozen;
using System.Security.Claims;
using System.Text;
using Microsoft.Extensions.Logging;
using Mux.Contracts;
using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.Transports;

namespace Mux.Server;

/// <summary>Decides which peers may connect to a server and what they may call. Thread-safe.</summary>
internal sealed class AdmissionControl : IAdmission
{
    /// <summary>
    /// Delay of the answer to an address with too many failures. A valid credential is accepted at once, so that a neighbour at the same address cannot lock it
    /// out.
    /// </summary>
    private static readonly TimeSpan s_penalty = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, MuxAuthenticator> _authenticators;
    private readonly AccessRules _rules;
    private readonly FrozenSet<string> _gateways; // names of users
    private readonly bool _allowsAnonymous;
    private readonly TimeSpan _timeout;
    private readonly AuthenticationPlaces _newcomers;
    private readonly AuthenticationPlaces _renewals; // separate, so that unknown peers cannot take the places of known ones
    private readonly FailureTable _failures = new();
    private readonly RateLimit _deniedLog = new(); // a flood must not fill the logs
    private readonly RateLimit _errorLog = new();
    private readonly Clock _clock;
    private readonly ILogger _logger;

    /// <exception cref="InvalidOperationException">A contract requires something that the options do not have; the message names the method.</exception>
    public AdmissionControl(MuxIdentityOptions options, IReadOnlyCollection<MethodDescriptor> methods, Clock clock, ILogger logger)
    {
        _clock = clock;
        _logger = logger;
        _rules = new AccessRules(methods, options);
        _gateways = options.Gateways.ToFrozenSet(StringComparer.Ordinal);
        _allowsAnonymous = options.AllowAnonymous;
        _timeout = options.AuthenticationTimeout;
        _newcomers = new AuthenticationPlaces(options.MaxConcurrentAuthentications, options.MaxConcurrentAuthenticationsPerAddress);
        _renewals = new AuthenticationPlaces(options.MaxConcurrentAuthentications, options.MaxConcurrentAuthenticationsPerAddress);
        TakesIdentityOfLink = options.TrustTransport;
        _authenticators = options.Authenticators.ToDictionary(authenticator => authenticator.Scheme, StringComparer.Ordinal);
        if (options.SharedKeys.Count > 0)
        {
            _authenticators.Add(SharedKeyProof.Scheme, new SharedKeyAuthenticator(options.SharedKeys, LifetimeOf(options), clock.Provider));
        }

        Schemes = [.. _authenticators.Keys];
        if (_rules.Denied.Count > 0) IdentityLog.MethodsDenied(logger, string.Join(", ", _rules.Denied));
    }

    public IReadOnlyList<string> Schemes { get; }

    public bool TakesIdentityOfLink { get; }

    /// <summary>The current time.</summary>
    public long Now => _clock.Now;

    public async Task<Admittance> DecideAsync(PeerEvidence evidence, CancellationToken ending)
    {
        var proof = evidence.Renews ? ProofOf(evidence) : default; // before the credential is wiped
        var decision = await DecideInTimeAsync(evidence, ending).ConfigureAwait(false);
        if (decision.IsUndecided) decision = decision with { Proof = proof };
        if (decision is { Access: null, IsUndecided: false } && !ending.IsCancellationRequested && _failures.Add(evidence.RemoteAddress, _clock.Now))
        {
            await Task.Delay(s_penalty, _clock.Provider, ending).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        return decision;
    }

    /// <summary>Logs a rejected call. Runs in the turn, or where policies have decided.</summary>
    /// <param name="method">The method.</param>
    /// <param name="name">Names the caller.</param>
    /// <param name="place">Address of the peer.</param>
    /// <param name="user">The caller; null if <paramref name="reason"/> is given.</param>
    /// <param name="reason">Why it was rejected; null for what the method requires of the caller.</param>
    public void OnDenied(MethodDescriptor method, string name, string place, ClaimsPrincipal? user, string? reason)
    {
        if (!_deniedLog.TryPass(_clock.Now, out int others)) return;
        IdentityLog.AccessDenied(_logger, method.FullName, name, place, reason ?? _rules.DescribeDenial(method, user!), others);
    }

    /// <summary>Logs that a policy threw.</summary>
    public void OnPolicyFailed(string policy, Exception error)
    {
        if (_errorLog.TryPass(_clock.Now, out int others)) IdentityLog.PolicyFailed(_logger, policy, others, error);
    }

    /// <summary>Name for the log. A token may contain anything, so the name is sanitized and truncated.</summary>
    public static string NameOf(ClaimsPrincipal? user) =>
        user is null ? "anonymous" : Utf8Text.Read(Encoding.UTF8.GetBytes(user.Identity?.Name ?? "a user without a name"), 256);

    private static TimeSpan? LifetimeOf(MuxIdentityOptions options) => options.SharedKeyLifetime == Timeout.InfiniteTimeSpan ? null : options.SharedKeyLifetime;

    private static Admittance Refuse(string reason) => new(null, reason);

    private static Admittance Undecided(string reason) => new(null, reason) { IsUndecided = true };

    private async Task<Admittance> DecideInTimeAsync(PeerEvidence evidence, CancellationToken ending)
    {
        using var limit = new CancellationTokenSource(_timeout, _clock.Provider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, ending);
        var places = evidence.Renews ? _renewals : _newcomers;
        var host = PeerHost.Of(evidence.RemoteAddress);
        bool hasPlace = false;
        try
        {
            either.Token.ThrowIfCancellationRequested(); // a connection that has ended takes no place and runs no user code
            await places.EnterAsync(host, either.Token).ConfigureAwait(false);
            hasPlace = true;
            var token = either.Token;
            // user code may block
            return await Task.Run(() => DecideInPlaceAsync(evidence, places, host, token), CancellationToken.None).WaitAsync(token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            if (!hasPlace) Array.Clear(evidence.Credential);
            return Undecided(ending.IsCancellationRequested ? "The connection ended."
                : hasPlace ? $"Authentication took longer than {_timeout}."
                : $"Authentication did not start within {_timeout}: MaxConcurrentAuthentications or MaxConcurrentAuthenticationsPerAddress was reached.");
        }
    }

    private async Task<Admittance> DecideInPlaceAsync(PeerEvidence evidence, AuthenticationPlaces places, string host, CancellationToken cancellationToken)
    {
        try
        {
            return evidence.Identity is { } identity ? Admit(identity, "transport", evidence)
                : await AuthenticateAsync(evidence, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return Undecided($"Authentication took longer than {_timeout}.");
        }
        catch (Exception error)
        {
            if (_errorLog.TryPass(_clock.Now, out int others)) IdentityLog.AuthenticatorFailed(_logger, evidence.Place, others, error);
            return Undecided("The authenticator failed.");
        }
        finally
        {
            Array.Clear(evidence.Credential);
            places.Leave(host); // only now: an authenticator that ignores its token keeps its place
        }
    }

    private async Task<Admittance> AuthenticateAsync(PeerEvidence evidence, CancellationToken cancellationToken)
    {
        if (!AuthCredential.TryRead(evidence.Credential, out var scheme, out int tokenAt)) return Refuse("AUTH names no valid scheme.");
        if (scheme.Length == 0) return _allowsAnonymous ? Admit(null, "none", evidence) : Refuse("The peer has no credential.");
        if (!_authenticators.TryGetValue(scheme, out var authenticator)) return Refuse($"The server has no authenticator for the scheme '{scheme}'.");
        var result = await authenticator.AuthenticateAsync(AttemptOf(evidence, tokenAt), cancellationToken).ConfigureAwait(false);
        return result.IsSuccess ? Admit(result.Identity, scheme, evidence) with { Proof = result.Proof } : Refuse(result.Reason);
    }

    /// <summary>Computes the proof for a renewing peer that may stay undecided: it accepts no acceptance of its shared key without a proof.</summary>
    private ReadOnlyMemory<byte> ProofOf(PeerEvidence evidence) =>
        AuthCredential.TryRead(evidence.Credential, out var scheme, out int tokenAt)
            && _authenticators.GetValueOrDefault(scheme) is SharedKeyAuthenticator keys ? keys.Authenticate(AttemptOf(evidence, tokenAt)).Proof : default;

    private static AuthenticationAttempt AttemptOf(PeerEvidence evidence, int tokenAt) =>
        new()
        {
            Token = evidence.Credential.AsMemory(tokenAt),
            Challenge = evidence.Nonce,
            ChannelBinding = evidence.ChannelBinding,
            RemoteAddress = evidence.RemoteAddress
        };

    private Admittance Admit(PeerIdentity? identity, string scheme, PeerEvidence evidence)
    {
        if (identity?.User.Identity is { IsAuthenticated: false } or null && identity is not null)
        {
            return Refuse("The identity is not authenticated: it needs an authentication type.");
        }

        if (identity?.ExpiresAt <= _clock.Provider.GetUtcNow()) return Refuse("The credential has expired.");
        var takes = _rules.Evaluate(identity?.User, OnPolicyFailed);
        var holder = new AccessHolder(identity?.User, identity?.ExpiresAt, NameOf(identity?.User), evidence.Place);
        IdentityLog.PeerAuthenticated(_logger, holder.Place, holder.Name, scheme, holder.ExpiresAt);
        bool isGateway = identity?.User.Identity?.Name is { } name && _gateways.Contains(name);
        return new(new GrantedAccess(this, _rules, takes, holder, isGateway), string.Empty);
    }
}

/// <summary>Access rights of one identity, evaluated when it was accepted. A gateway's also decide about the callers that it names.</summary>
/// <param name="control">Logs rejected calls.</param>
/// <param name="rules">Rules of the server.</param>
/// <param name="takes">Result per rule.</param>
/// <param name="holder">Holder of the rights.</param>
/// <param name="isGateway">True if the server believes the holder when it names the callers of requests that it forwards.</param>
internal sealed class GrantedAccess(AdmissionControl control, AccessRules rules, bool[] takes, AccessHolder holder, bool isGateway) : PeerAccess
{
    private readonly GatewayCallers? _callers = isGateway ? new GatewayCallers(control, rules, holder) : null; // of the turn

    public override ClaimsPrincipal? User => holder.User;

    public override DateTimeOffset? ExpiresAt => holder.ExpiresAt;

    public override bool IsGateway => isGateway;

    public override bool Allows(MethodDescriptor method, bool isExpired) => (isExpired ? rules.WithoutUser : takes)[rules.IndexOf(method)];

    public override bool AllowsForwarded(MethodDescriptor method, ClaimsPrincipal? caller, bool isExpired)
    {
        if (isExpired) return Allows(method, isExpired);
        var rule = rules[rules.IndexOf(method)];
        if (!isGateway) return !rule.LooksAtRoles && Allows(method, isExpired);
        if (caller is null) return rules.WithoutUser[rules.IndexOf(method)];
        return GatewayCaller.Of(caller, rules) is { } known ? known.Allows(method) : rule.Takes(caller, control.OnPolicyFailed);
    }

    public override MuxStatus Judge(MethodDescriptor method, bool isExpired)
    {
        if (Allows(method, isExpired)) return MuxStatus.Ok;
        var reason = isExpired ? "the caller's credential has expired" : User is null ? "the caller is not authenticated" : null;
        control.OnDenied(method, holder.Name, holder.Place, User, reason);
        return reason is null ? MuxStatus.PermissionDenied : MuxStatus.Unauthenticated;
    }

    public override ForwardedCaller? FindCaller(ReadOnlySpan<byte> metadata) => _callers?.Find(metadata);

    public override MuxStatus? JudgeForwarded(MethodDescriptor method, ForwardedCaller? caller, bool isExpired)
    {
        if (isExpired || User is null) return Judge(method, isExpired);
        if (!isGateway)
        {
            // The user of an unknown gateway says that a user was authenticated, but its roles are not those of its callers.
            if (!rules[rules.IndexOf(method)].LooksAtRoles) return Judge(method, isExpired);
            control.OnDenied(method, holder.Name, holder.Place, null,
                $"the call came through this gateway, which {nameof(MuxServerOptions.Identity)}.{nameof(MuxIdentityOptions.Gateways)} does not name, and the " +
                "method requires roles or policies of the caller");
            return MuxStatus.PermissionDenied;
        }

        if (caller is not null) return ((GatewayCaller)caller).Judge(method);
        control.OnDenied(method, holder.Name, holder.Place, null, "the gateway named no caller: the caller is anonymous there, or its user has no name");
        return MuxStatus.Unauthenticated;
    }
}

/// <summary>Holder of access rights.</summary>
/// <param name="User">The user; null if the peer is anonymous.</param>
/// <param name="ExpiresAt">End of the rights; null for never.</param>
/// <param name="Name">Name for the log.</param>
/// <param name="Place">Names the peer in the log.</param>
internal sealed record AccessHolder(ClaimsPrincipal? User, DateTimeOffset? ExpiresAt, string Name, string Place);
