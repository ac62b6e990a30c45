namespace BlockingFront.Load;

/// <summary>What one run made.</summary>
/// <param name="PerSecond">Calls answered in each second.</param>
/// <param name="Threads">Of the front, at the end.</param>
/// <param name="ProcessorPerCall">Microseconds of the front.</param>
internal sealed record FrontFigures(long[] PerSecond, int Threads, double ProcessorPerCall)
{
    public long LeastFrom(int second) => PerSecond[second..].Min();

    public double MedianFrom(int second)
    {
        var sorted = PerSecond[second..].Order().ToArray();
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2.0;
    }
}
