namespace Mux.Tool.Reporting.Results;

/// <summary>One of several runs.</summary>
/// <param name="Ci">Its figures, flat.</param>
/// <param name="Results">All of them.</param>
internal sealed record RunEntry(CiSection Ci, ResultsSection Results);
