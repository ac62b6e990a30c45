namespace Seeds;

/// <summary>How often and how long a row is measured.</summary>
internal sealed record Plan(int Rounds, TimeSpan Duration, TimeSpan Warmup);
