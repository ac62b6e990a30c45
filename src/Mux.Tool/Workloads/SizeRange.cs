namespace Mux.Tool.Workloads;

/// <summary>The sizes that a workload can have, in bytes.</summary>
internal sealed record SizeRange(int Default, int Min, int Max);
