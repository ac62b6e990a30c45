namespace Mux.Tool.Reporting.Results;

/// <param name="Connections">Number of connections.</param>
/// <param name="InFlight">Concurrent calls per connection.</param>
/// <param name="Size">Bytes of an echo; null for the other workloads.</param>
/// <param name="Ci">Flat figures.</param>
internal sealed record CellEntry(int Connections, int InFlight, int? Size, CiSection Ci);
