using System.Runtime.CompilerServices;
using System.Security.Claims;
using System.Text;
using Microsoft.Extensions.Logging;
using Mux.Logging;
using Mux.Sessions.Calls;
using Mux.Sessions.Incoming;
using Mux.Wire;

namespace Mux.Forwarding;

/// <summary>
/// Makes what the forwarded requests of a route have in addition to their bodies: what the client sent, and the marks of this gateway, with the name, the roles
/// and the chosen claims of the caller. A call of a user without trace and metadata has shared extras, one set for each user; such a call without a user has
/// none, and goes the short way of small requests. Safe for concurrent use.
/// </summary>
/// <param name="pattern">The pattern of the route, for the log.</param>
/// <param name="claims">Types of claims that are passed on.</param>
internal sealed class ForwardedMarks(string pattern, string[] claims)
{
    /// <summary>Options that extras replace, as an index: two bits of priority, one of idempotence.</summary>
    private const int Variants = 8, IdempotentVariant = 4;

    /// <summary>Options that a request keeps at a gateway. Its shape and what it carries are those of the forwarded one.</summary>
    private const RequestOptions Passed = CallExtras.Overridden | RequestOptions.Retry;

    private readonly ConditionalWeakTable<ClaimsPrincipal, UserMarks> _byUser = [];

    /// <summary>Logs what is not passed on; set before the server starts.</summary>
    public ILogger? Logger { get; set; }

    /// <summary>Gets the options of the forwarded request that do not follow from its method.</summary>
    public static RequestOptions OptionsOf(in InboundCall call) =>
        call.Extras is { } received ? received.Options & Passed | GatewayMarks.OptionsOf(received.Hops + 1) : GatewayMarks.OptionsOf(1);

    /// <summary>Gets the extras for a call; null if it needs none.</summary>
    /// <param name="call">The call of the client.</param>
    /// <param name="sink">Receives the metadata of the reply; null if the forwarded call takes it another way.</param>
    public CallExtras? Of(in InboundCall call, MuxMetadata? sink = null)
    {
        var received = call.Extras ?? InboundExtras.None;
        var options = received.Options & CallExtras.Overridden;
        var marks = MarksOf(call, received);
        if (received.Trace is null && received.Metadata is null && sink is null) return marks?.SharedOf(options);
        return new CallExtras
        {
            Options = received.Trace is null ? options : options | RequestOptions.Trace,
            Trace = received.Trace ?? default,
            Metadata = marks?.AddTo(received.Metadata?.Copy() ?? []) ?? received.Metadata,
            ResponseMetadata = sink,
        };
    }

    /// <summary>
    /// Gets the marks of the caller; null if it is anonymous. A gateway before this one that is believed names it. One that is not believed is the caller
    /// itself, by name alone: its roles are not those of its callers.
    /// </summary>
    private UserMarks? MarksOf(in InboundCall call, InboundExtras received)
    {
        if (call.Session.Access is not { User: { } user } access || call.Session.IsAccessExpired) return null;
        if (received.Hops == 0) return _byUser.GetValue(user, Create);
        if (access.IsGateway) return received.Caller is { } caller ? _byUser.GetValue(caller.User, Create) : null;
        return NameOf(user) is { } name ? new UserMarks(name, []) : null;
    }

    private UserMarks Create(ClaimsPrincipal user)
    {
        if (NameOf(user) is not { } name) return UserMarks.None;
        var roles = user.Identities.SelectMany(static identity => identity.FindAll(identity.RoleClaimType)).Select(static claim => (string.Empty, claim.Value));
        var chosen = user.Claims.Where(claim => Array.IndexOf(claims, claim.Type) >= 0).Select(static claim => (claim.Type, claim.Value));
        if (CallerMarks.Write(roles.Concat(chosen).Distinct()) is { } passed) return new UserMarks(name, passed);
        var shown = Utf8Text.Read(Encoding.UTF8.GetBytes(name), GatewayMarks.MaxCallerLength);
        if (Logger is { } logger) ForwardingLog.ClaimsNotPassed(logger, pattern, shown, GatewayMarks.MaxClaimsLength);
        return new UserMarks(name, []);
    }

    /// <returns>The name; null if there is none, or it is too long.</returns>
    private static string? NameOf(ClaimsPrincipal user) =>
        user.Identity?.Name is { Length: > 0 } name && Encoding.UTF8.GetByteCount(name) <= GatewayMarks.MaxCallerLength ? name : null;

    /// <summary>The marks of one user. Immutable.</summary>
    private sealed class UserMarks
    {
        private readonly ReadOnlyMemory<byte> _name, _claims;
        private readonly CallExtras[]? _plain; // null for a user without a name

        public UserMarks(string name, byte[] claims)
        {
            (_name, _claims) = (Encoding.UTF8.GetBytes(name), claims);
            var metadata = AddTo([]);
            _plain = new CallExtras[Variants];
            for (int variant = 0; variant < Variants; variant++)
            {
                var options = (RequestOptions)(variant & (int)RequestOptions.PriorityMask);
                if ((variant & IdempotentVariant) != 0) options |= RequestOptions.Idempotent;
                _plain[variant] = new CallExtras { Options = options, Metadata = metadata };
            }
        }

        private UserMarks()
        {
        }

        /// <summary>A user without a name: services see none.</summary>
        public static UserMarks None { get; } = new();

        /// <summary>Gets the extras of calls that have nothing else.</summary>
        public CallExtras? SharedOf(RequestOptions options) =>
            _plain?[(int)(options & RequestOptions.PriorityMask) | ((options & RequestOptions.Idempotent) == 0 ? 0 : IdempotentVariant)];

        /// <summary>Adds the marks.</summary>
        public MuxMetadata AddTo(MuxMetadata metadata)
        {
            if (_name.IsEmpty) return metadata;
            metadata.AddReserved(GatewayMarks.CallerKey, _name);
            if (!_claims.IsEmpty) metadata.AddReserved(GatewayMarks.ClaimsKey, _claims);
            return metadata;
        }
    }
}

/// <summary>Log messages of a gateway. Users filter by event name, so the names do not change.</summary>
internal static partial class ForwardingLog
{
    [LoggerMessage(EventIds.ClaimsNotPassed, LogLevel.Warning, "The route '{Pattern}' passes on the name of {User} without roles and claims: they take more " +
        "than {Limit} bytes, so services take the user for one without roles. Give the user fewer roles, or name fewer types in Claims of the route.",
        EventName = "ClaimsNotPassed")]
    public static partial void ClaimsNotPassed(ILogger logger, string pattern, string user, int limit);
}
