using System.Runtime.CompilerServices;
using System.Security.Claims;
using System.Text;
using Mux.Services;
using Mux.Sessions.Calls;
using Mux.Sessions.Incoming;
using Mux.Wire;

namespace Mux.Forwarding;

/// <summary>
/// Makes what a forwarded request has in addition to its body: what the client sent, and the marks of this gateway. A call of a user without trace and
/// metadata has shared extras, one set for each user; such a call without a user has none, and goes the short way of small requests. Safe for concurrent use.
/// </summary>
internal sealed class ForwardedMarks
{
    /// <summary>Options that extras replace, as an index: two bits of priority, one of idempotence.</summary>
    private const int Variants = 8, IdempotentVariant = 4;

    /// <summary>Options that a request keeps at a gateway. Its shape and what it carries are those of the forwarded one.</summary>
    private const RequestOptions Passed = CallExtras.Overridden | RequestOptions.Retry;

    private static readonly ConditionalWeakTable<ClaimsPrincipal, ForwardedMarks> s_byUser = [];

    private readonly CallExtras[]? _plain; // null for a user without a name

    private ForwardedMarks(string? caller)
    {
        if (caller is null || Mark([], caller) is not { Count: > 0 } metadata) return;
        _plain = new CallExtras[Variants];
        for (int variant = 0; variant < Variants; variant++)
        {
            var options = (RequestOptions)(variant & (int)RequestOptions.PriorityMask);
            if ((variant & IdempotentVariant) != 0) options |= RequestOptions.Idempotent;
            _plain[variant] = new CallExtras { Options = options, Metadata = metadata };
        }
    }

    /// <summary>Gets the options of the forwarded request that do not follow from its method.</summary>
    public static RequestOptions OptionsOf(in InboundCall call) =>
        call.Extras is { } received ? received.Options & Passed | GatewayMarks.OptionsOf(received.Hops + 1) : GatewayMarks.OptionsOf(1);

    /// <summary>Gets the extras for a call; null if it needs none.</summary>
    /// <param name="call">The call of the client.</param>
    /// <param name="sink">Receives the metadata of the reply; null if the forwarded call takes it another way.</param>
    public static CallExtras? Of(in InboundCall call, MuxMetadata? sink = null)
    {
        var received = call.Extras ?? InboundExtras.None;
        var user = call.Session.Access?.User;
        bool isGateway = user is not null && received.Hops > 0 && user.IsInRole(CallerIdentity.GatewayRole);
        var options = received.Options & CallExtras.Overridden;
        if (received.Trace is null && received.Metadata is null && sink is null)
        {
            if (user is null || (isGateway && received.Caller is null)) return null;
            if (!isGateway) return SharedOf(user, options);
        }

        var caller = isGateway ? received.Caller : user is null ? null : NameOf(user);
        return new CallExtras
        {
            Options = received.Trace is null ? options : options | RequestOptions.Trace,
            Trace = received.Trace ?? default,
            Metadata = Mark(received.Metadata?.Copy() ?? [], caller),
            ResponseMetadata = sink,
        };
    }

    private static CallExtras? SharedOf(ClaimsPrincipal user, RequestOptions options)
    {
        var shared = s_byUser.GetValue(user, static known => new ForwardedMarks(NameOf(known)));
        int variant = (int)(options & RequestOptions.PriorityMask) | ((options & RequestOptions.Idempotent) == 0 ? 0 : IdempotentVariant);
        return shared._plain?[variant];
    }

    private static string? NameOf(ClaimsPrincipal user) => user.Identity?.Name is { Length: > 0 } name ? name : null;

    private static MuxMetadata Mark(MuxMetadata metadata, string? caller)
    {
        if (caller is not null && Encoding.UTF8.GetByteCount(caller) <= GatewayMarks.MaxCallerLength)
        {
            metadata.AddReserved(GatewayMarks.CallerKey, Encoding.UTF8.GetBytes(caller));
        }

        return metadata;
    }
}
