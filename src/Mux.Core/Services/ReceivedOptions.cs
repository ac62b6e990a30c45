using Mux.Sessions.Incoming;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Services;

/// <summary>Creates the options that a handler sees of its call.</summary>
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
        User = call.Session.Access?.User,
    };
}
