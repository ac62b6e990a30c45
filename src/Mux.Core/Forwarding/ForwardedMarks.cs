using System.Globalization;
using System.Runtime.CompilerServices;
using System.Security.Claims;
using System.Text;
using Mux.Services;
using Mux.Sessions.Calls;
using Mux.Sessions.Incoming;
using Mux.Wire;

namespace Mux.Forwarding;

/// <summary>
/// Makes the extras of forwarded calls: what the client sent, and the marks of this gateway. A call without trace and metadata gets shared ones, one set for
/// each user. Safe for concurrent use.
/// </summary>
internal sealed class ForwardedMarks
{
    /// <summary>Options that extras carry, as an index: two bits of priority, one of idempotence.</summary>
    private const int Variants = 8, IdempotentVariant = 4;

    private static readonly ForwardedMarks s_anonymous = new(null);
    private static readonly ConditionalWeakTable<ClaimsPrincipal, ForwardedMarks> s_byUser = [];

    private readonly CallExtras[] _plain = new CallExtras[Variants]; // of calls that come from no other gateway

    private ForwardedMarks(string? caller)
    {
        var metadata = Mark([], hops: 1, caller);
        for (int variant = 0; variant < Variants; variant++)
        {
            var options = (RequestOptions)(variant & (int)RequestOptions.PriorityMask);
            if ((variant & IdempotentVariant) != 0) options |= RequestOptions.Idempotent;
            _plain[variant] = new CallExtras { Options = options, Metadata = metadata };
        }
    }

    /// <summary>Gets the extras for a call.</summary>
    /// <param name="call">The call of the client.</param>
    /// <param name="sink">Receives the metadata of the reply; null if the forwarded call takes it another way.</param>
    public static CallExtras Of(in InboundCall call, MuxMetadata? sink = null)
    {
        var received = call.Extras ?? InboundExtras.None;
        var user = call.Session.Access?.User;
        var options = received.Options & CallExtras.Overridden;
        if (received.Trace is null && received.Metadata is null && received.Marks.Hops == 0 && sink is null)
        {
            var shared = user is null ? s_anonymous : s_byUser.GetValue(user, static known => new ForwardedMarks(NameOf(known)));
            int variant = (int)(options & RequestOptions.PriorityMask) | ((options & RequestOptions.Idempotent) == 0 ? 0 : IdempotentVariant);
            return shared._plain[variant];
        }

        bool isGateway = user is not null && received.Marks.Hops > 0 && user.IsInRole(CallerIdentity.GatewayRole);
        var caller = isGateway ? received.Marks.Caller : user is null ? null : NameOf(user);
        return new CallExtras
        {
            Options = received.Trace is null ? options : options | RequestOptions.Trace,
            Trace = received.Trace ?? default,
            Metadata = Mark(received.Metadata?.Copy() ?? [], received.Marks.Hops + 1, caller),
            ResponseMetadata = sink,
        };
    }

    private static string? NameOf(ClaimsPrincipal user) => user.Identity?.Name is { Length: > 0 } name ? name : null;

    private static MuxMetadata Mark(MuxMetadata metadata, int hops, string? caller)
    {
        metadata.AddReserved(GatewayMarks.HopsKey, Encoding.ASCII.GetBytes(hops.ToString(CultureInfo.InvariantCulture)));
        if (caller is not null && Encoding.UTF8.GetByteCount(caller) <= GatewayMarks.MaxCallerLength)
        {
            metadata.AddReserved(GatewayMarks.CallerKey, Encoding.UTF8.GetBytes(caller));
        }

        return metadata;
    }
}
