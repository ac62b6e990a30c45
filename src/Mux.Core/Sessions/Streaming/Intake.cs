namespace Mux.Sessions.Streaming;

/// <summary>State that arriving requests and replies share.</summary>
/// <param name="Bulk">The peer's credit for large messages.</param>
/// <param name="Deliveries">Streams whose consumers must be notified of items.</param>
internal sealed record Intake(BulkWindow Bulk, ItemDeliveries Deliveries);
