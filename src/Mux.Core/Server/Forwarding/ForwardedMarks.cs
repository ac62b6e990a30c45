using System.Runtime.CompilerServices;
using System.Security.Claims;
using System.Text;
using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Server;

/// <summary>
/// Makes what the forwarded requests of a route have in addition to their bodies: what the client sent, and the marks of this gateway, with the name, the roles
/// and the chosen claims of the caller. A call of a user without trace and metadata has shared extras, one set for each user; such a call without a user has
/// none, and goes the short way of small requests. Safe for concurrent use.
/// </summary>
/// <param name="pattern">The pattern of the route, for the log.</param>
/// <param name="claims">Types of claims that are passed on.</param>
internal sealed class ForwardedMarks(string pattern, string[] claims)
{
    /// <summary>Options that a request keeps at a gateway. Its shape and what it carries are those of the forwarded one.</summary>
    private const RequestOptions Passed = CallExtras.Overridden | RequestOptions.Retry;

    private readonly ConditionalWeakTable<ClaimsPrincipal, UserMarks> _byUser = [], _byName = []; // with the roles, and without

    /// <summary>Logs what is not passed on; set before the server starts.</summary>
    public ILogger? Logger { get; set; }

    /// <summary>Gets the options of the forwarded request that do not follow from its method.</summary>
    public static RequestOptions OptionsOf(in InboundCall call) =>
        call.Extras is { } received ? received.Options & Passed | GatewayMarks.OptionsOf(received.Hops + 1) : GatewayMarks.OptionsOf(1);

    /// <summary>Gets the extras for a call; null if it needs none.</summary>
    /// <param name="call">The call of the client.</param>
    /// <param name="marks">The result of <see cref="MarksOf"/>.</param>
    /// <param name="sink">Receives the metadata of the reply; null if the forwarded call takes it another way.</param>
    public static CallExtras? ExtrasOf(in InboundCall call, UserMarks? marks, MuxMetadata? sink = null)
    {
        var received = call.Extras ?? InboundExtras.None;
        var options = received.Options & CallExtras.Overridden;
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
    public UserMarks? MarksOf(in InboundCall call)
    {
        if (call.Session.Access is not { User: { } user } access || call.Session.IsAccessExpired) return null;
        if (call.Extras is not { Hops: > 0 } received) return _byUser.GetValue(user, Create);
        if (!access.IsGateway) return _byName.GetValue(user, CreateOfName);
        if (received.Caller is not { } caller) return null;
        return caller.KnowsRoles ? _byUser.GetValue(caller.User, Create) : _byName.GetValue(caller.User, CreateOfName);
    }

    private UserMarks Create(ClaimsPrincipal user)
    {
        if (Name(user, out var lack) is not { } name) return lack;
        var roles = user.Identities.SelectMany(static identity => identity.FindAll(identity.RoleClaimType)).Select(static claim => (string.Empty, claim.Value));
        var chosen = user.Claims.Where(claim => Array.IndexOf(claims, claim.Type) >= 0).Select(static claim => (claim.Type, claim.Value));
        return CallerMarks.Write(roles.Concat(chosen).Distinct()) is { } passed ? new UserMarks(name, passed)
            : Refuse(name, $"the roles of its caller, with the claims that the route passes on, take more than {GatewayMarks.MaxClaimsLength} bytes");
    }

    private UserMarks CreateOfName(ClaimsPrincipal user) => Name(user, out var lack) is { } name ? new UserMarks(name, claims: null) : lack;

    /// <returns>The name; null if there is none, or it is too long.</returns>
    private string? Name(ClaimsPrincipal user, out UserMarks lack)
    {
        lack = UserMarks.None;
        if (user.Identity?.Name is not { Length: > 0 } name) return null;
        if (Encoding.UTF8.GetByteCount(name) <= GatewayMarks.MaxCallerLength) return name;
        lack = Refuse(name, $"the name of its caller takes more than {GatewayMarks.MaxCallerLength} bytes");
        return null;
    }

    private UserMarks Refuse(string name, string lack)
    {
        var shown = Utf8Text.Read(Encoding.UTF8.GetBytes(name), GatewayMarks.MaxCallerLength);
        if (Logger is { } logger) ForwardingLog.ClaimsNotPassed(logger, pattern, shown, lack);
        return UserMarks.Refused($"The gateway does not forward the call: {lack}.");
    }
}

/// <summary>Log messages of a gateway. Users filter by event name, so the names do not change.</summary>
internal static partial class ForwardingLog
{
    [LoggerMessage(EventIds.ClaimsNotPassed, LogLevel.Warning, "The route '{Pattern}' forwards no calls of {User}: {Lack}. Give the user fewer roles, or " +
        "name fewer types in Claims of the route.", EventName = "ClaimsNotPassed")]
    public static partial void ClaimsNotPassed(ILogger logger, string pattern, string user, string lack);
}

/// <summary>What a gateway tells services of one user, or why it cannot. Immutable.</summary>
internal sealed class UserMarks
{
    /// <summary>Options that extras replace, as an index: two bits of priority, one of idempotence.</summary>
    private const int Variants = 8, IdempotentVariant = 4;

    private readonly ReadOnlyMemory<byte> _name;
    private readonly ReadOnlyMemory<byte>? _claims;
    private readonly CallExtras[]? _plain; // null for a user without a name

    /// <param name="name">The name of the user.</param>
    /// <param name="claims">Its roles and claims; null if this gateway does not know them.</param>
    public UserMarks(string name, byte[]? claims)
    {
        _name = Encoding.UTF8.GetBytes(name);
        if (claims is not null) _claims = claims;
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

    /// <summary>
    /// Why calls of the user are not forwarded; null if they are. Without a part of the user a service could let it do what rules forbid: "all but guests"
    /// accepts every user whose roles the service does not see.
    /// </summary>
    public string? Refusal { get; private init; }

    /// <summary>A user that does not fit.</summary>
    public static UserMarks Refused(string refusal) => new() { Refusal = refusal };

    /// <summary>Gets the extras of calls that have nothing else.</summary>
    public CallExtras? SharedOf(RequestOptions options) =>
        _plain?[(int)(options & RequestOptions.PriorityMask) | ((options & RequestOptions.Idempotent) == 0 ? 0 : IdempotentVariant)];

    /// <summary>Adds the marks.</summary>
    public MuxMetadata AddTo(MuxMetadata metadata)
    {
        if (_name.IsEmpty) return metadata;
        metadata.AddReserved(GatewayMarks.CallerKey, _name);
        if (_claims is { } claims) metadata.AddReserved(GatewayMarks.ClaimsKey, claims);
        return metadata;
    }
}
