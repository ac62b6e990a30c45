namespace Mux.Engine;

/// <summary>State that arriving requests and replies share.</summary>
/// <param name="Bulk">The peer's credit for large messages.</param>
/// <param name="Deliveries">Streams with items that their consumers do not know yet.</param>
internal sealed record Intake(BulkWindow Bulk, ItemDeliveries Deliveries);
