using System.Security.Claims;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>Creates what a handler sees of its call.</summary>
internal static class ReceivedOptions
{
    public static MuxCallOptions Of(in InboundCall call) => new()
    {
        Timeout = TimeLeftOf(call),
        Metadata = call.Extras?.Metadata ?? [],
        ResponseMetadata = [],
        Priority = call.Priority,
        Idempotent = call.Extras is { } extras && (extras.Options & RequestOptions.Idempotent) != 0,
        Peer = call.Session.RemoteAddress,
        Caller = call.Session.Caller,
        User = CallerIdentity.Of(call),
        IsForwarded = call.IsForwarded,
    };

    /// <summary>Gets the time left until the deadline of a call; null if it has none.</summary>
    public static TimeSpan? TimeLeftOf(in InboundCall call) =>
        call.Due == Clock.Never ? null : TimeSpan.FromMicroseconds(Math.Max(0, call.Due - call.Session.Clock.Now));

    /// <summary>Creates the exception for a filter that sets the options of a received call.</summary>
    public static InvalidOperationException CannotBeReplaced() =>
        new("The options of a received call are those that came with it: only a filter of a channel may replace options.");

    /// <summary>
    /// Creates the context of a call from its options, with which it shares the metadata of the answer, and enters it. It ends when
    /// <paramref name="cancellation"/> is released.
    /// </summary>
    public static MuxCallContextScope EnterContext(in InboundCall call, MuxCallOptions options, InboundCancellation cancellation) =>
        cancellation.Enter(new(options.Timeout, call.Session.Clock.Provider)
        {
            Method = call.Method.Descriptor!.FullName,
            Peer = options.Peer!,
            Caller = options.Caller,
            User = options.User,
            Metadata = options.Metadata!,
            ResponseMetadata = options.ResponseMetadata!,
            Priority = call.Priority,
            Idempotent = options.Idempotent!.Value,
            CancellationToken = cancellation.Token,
        });
}

/// <summary>Decides which user a handler sees.</summary>
internal static class CallerIdentity
{
    /// <summary>
    /// Gets the user of a call: that of its connection. If that is a gateway that is believed and has forwarded the call, the user that the gateway names;
    /// null if the caller of the gateway was anonymous.
    /// </summary>
    public static ClaimsPrincipal? Of(in InboundCall call) =>
        call.IsForwarded && call.Session.Access is { IsGateway: true } ? call.Extras?.Caller?.User : call.Session.Access?.User;
}
