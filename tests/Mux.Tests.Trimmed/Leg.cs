namespace Mux.Tests.Trimmed;

public sealed record Leg(string Name, double Minutes);
