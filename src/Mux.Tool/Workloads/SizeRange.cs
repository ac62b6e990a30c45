namespace Mux.Tool.Workloads;

/// <summary>Sizes that a workload supports, in bytes.</summary>
internal sealed record SizeRange(int Default, int Min, int Max);
