using System.Globalization;

namespace Evidence.Users;

/// <summary>What a user's program makes: the line that its process prints.</summary>
/// <param name="Rate">Calls per second.</param>
/// <param name="CpuPerCall">Processor time of the client, microseconds.</param>
/// <param name="BytesPerCall">Managed bytes that the client allocates, messages included.</param>
/// <param name="CallsPerSend">Calls that share a send of the client.</param>
internal sealed record UserFigures(double Rate, double CpuPerCall, double BytesPerCall, double CallsPerSend)
{
    public static UserFigures Parse(string line)
    {
        double[] values = [.. line.Split(' ').Select(static word => double.Parse(word, CultureInfo.InvariantCulture))];
        return new(values[0], values[1], values[2], values[3]);
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Rate:F0} {CpuPerCall:F3} {BytesPerCall:F1} {CallsPerSend:F1}");
}
