using Mux.Connections;
using Mux.Wire;

namespace Mux.Contracts;

/// <summary>Makes what a handler sees of its call.</summary>
internal static class ReceivedOptions
{
    public static CallOptions Of(in InboundCall call) => new()
    {
        Deadline = call.Due == Clock.Never ? null : TimeSpan.FromMicroseconds(Math.Max(0, call.Due - call.Acceptor.Clock.Now)),
        Metadata = call.Extras?.Metadata ?? [],
        ResponseMetadata = [],
        Priority = call.Priority,
        IsIdempotent = call.Extras is { } extras && (extras.Options & RequestOptions.Idempotent) != 0,
        Peer = call.Acceptor.Connection.RemoteAddress,
        User = call.Acceptor.Connection.Admission?.Access?.User,
    };
}
