using System.Globalization;

namespace Evidence.Programs;

/// <summary>What receivers have counted.</summary>
/// <param name="Items">Items so far.</param>
/// <param name="Payload">Bytes of WebSocket payloads so far.</param>
/// <param name="ProcessorMicroseconds">Their own processor time so far.</param>
/// <param name="Complete">Items that all of them got since they were last asked.</param>
/// <param name="Median">Milliseconds until the last of them had one of these.</param>
/// <param name="P99">The same, which 99 % of the items do not exceed.</param>
/// <param name="Longest">The longest of these times.</param>
internal sealed record FrameCounts(long Items, long Payload, double ProcessorMicroseconds, int Complete, double Median, double P99, double Longest)
{
    public static FrameCounts Parse(string line)
    {
        double[] values = [.. line.Split(' ').Select(value => double.Parse(value, CultureInfo.InvariantCulture))];
        return new((long)values[0], (long)values[1], values[2], (int)values[3], values[4], values[5], values[6]);
    }
}
