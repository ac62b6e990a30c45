namespace Mux.Tool.Reporting.Results;

/// <param name="Connections">Of this cell.</param>
/// <param name="InFlight">Calls open at a time on each.</param>
/// <param name="Size">Bytes of an echo; null for the other workloads.</param>
/// <param name="Ci">Its figures, flat.</param>
internal sealed record CellEntry(int Connections, int InFlight, int? Size, CiSection Ci);
