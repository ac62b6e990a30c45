namespace Mux.Tests.Trimmed;

public sealed record Leg([MuxKey] string Name, double Minutes);
