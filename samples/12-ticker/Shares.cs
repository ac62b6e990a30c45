namespace Ticker;

/// <summary>What is traded.</summary>
public static class Shares
{
    public static IReadOnlyList<string> Names { get; } = ["ACME", "CYBD", "DUFF", "GLBX", "HOOL", "INIT", "MUXR", "OCEA", "SOYL", "TYRL", "UMBR", "WAYN"];

    /// <summary>In cents.</summary>
    public const int FirstPrice = 10_000;
}
