namespace Evidence.Connections;

/// <summary>KiB per idle connection.</summary>
/// <param name="Each">What the server grew by in this round.</param>
/// <param name="SinceStart">What the server grew by since the first connection, what earlier rounds have left behind included.</param>
/// <param name="Client">What the client grew by in this round, a channel for each connection.</param>
internal readonly record struct IdleRound(double Each, double SinceStart, double Client)
{
    private const double Goal = 4;

    public bool IsGoalMet => Each <= Goal;

    public override string ToString() => $"{Each:F2} KiB in the third round, {SinceStart:F2} KiB since the start; client {Client:F2} KiB";
}
