namespace SideBySide.Processes;

/// <summary>What a client process writes.</summary>
/// <param name="Figures">Null if the run failed.</param>
/// <param name="Problem">Null if every call had its right reply.</param>
internal sealed record RunOutcome(RunFigures? Figures, string? Problem);
