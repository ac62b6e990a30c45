namespace Mux.Tool.Commands;

/// <summary>Files for the result of <c>mux spec</c>; null for no such file.</summary>
internal sealed record SpecFiles(string? JUnit, string? Json, string? Html);
