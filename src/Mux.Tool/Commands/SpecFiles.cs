namespace Mux.Tool.Commands;

/// <summary>Where <c>mux spec</c> writes its result as well; null for no such file.</summary>
internal sealed record SpecFiles(string? JUnit, string? Json, string? Html);
