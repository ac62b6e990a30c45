namespace Evidence.Connections;

/// <summary>KiB of the server per idle connection.</summary>
/// <param name="Each">Grown by in this round.</param>
/// <param name="SinceStart">Grown by since the first connection, what earlier rounds have left behind included.</param>
internal readonly record struct IdleRound(double Each, double SinceStart)
{
    private const double Goal = 4;

    public bool IsGoalMet => Each <= Goal;

    public override string ToString() => $"{Each:F2} KiB in the third round, {SinceStart:F2} KiB since the start";
}
