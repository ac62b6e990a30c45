using Mux.Sessions.Incoming;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Services;

/// <summary>Creates what a handler sees of its call.</summary>
internal static class ReceivedOptions
{
    public static MuxCallOptions Of(in InboundCall call) => new()
    {
        Timeout = call.Due == Clock.Never ? null : TimeSpan.FromMicroseconds(Math.Max(0, call.Due - call.Session.Clock.Now)),
        Metadata = call.Extras?.Metadata ?? [],
        ResponseMetadata = [],
        Priority = call.Priority,
        Idempotent = call.Extras is { } extras && (extras.Options & RequestOptions.Idempotent) != 0,
        Peer = call.Session.RemoteAddress,
        User = CallerIdentity.Of(call),
    };

    /// <summary>
    /// Creates the context of a call from its options, with which it shares the metadata of the answer, and enters it. It ends when
    /// <paramref name="cancellation"/> is released.
    /// </summary>
    public static MuxCallContextScope EnterContext(in InboundCall call, MuxCallOptions options, InboundCancellation cancellation) =>
        cancellation.Enter(new(options.Timeout, call.Session.Clock.Provider)
        {
            Method = call.Method.Descriptor!.FullName,
            Peer = options.Peer!,
            User = options.User,
            Metadata = options.Metadata!,
            ResponseMetadata = options.ResponseMetadata!,
            Priority = call.Priority,
            Idempotent = options.Idempotent!.Value,
            CancellationToken = cancellation.Token,
        });
}
