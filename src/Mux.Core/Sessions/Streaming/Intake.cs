namespace Mux.Sessions.Streaming;

/// <summary>What requests and replies that arrive share.</summary>
/// <param name="Bulk">What the peer may send of large messages.</param>
/// <param name="Deliveries">Streams whose consumers are to be told of items.</param>
internal sealed record Intake(BulkWindow Bulk, ItemDeliveries Deliveries);
