namespace Mux.Tool.Reporting.Results;

/// <summary>One of several runs.</summary>
/// <param name="Ci">Flat figures.</param>
/// <param name="Results">All results.</param>
internal sealed record RunEntry(CiSection Ci, ResultsSection Results);
