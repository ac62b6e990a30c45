using System.Globalization;

namespace FanOut.Rounds;

/// <summary>What a server tells when it is asked.</summary>
/// <param name="Published">Items that it has published because of the question.</param>
/// <param name="Subscribers">Connections now.</param>
/// <param name="ProcessorMicroseconds">User and system time so far.</param>
/// <param name="Bytes">Managed bytes allocated so far.</param>
internal sealed record FeedTotals(long Published, int Subscribers, double ProcessorMicroseconds, long Bytes)
{
    public static FeedTotals Parse(string line)
    {
        string[] values = line.Split(' ');
        return new(long.Parse(values[0], CultureInfo.InvariantCulture), int.Parse(values[1], CultureInfo.InvariantCulture),
            double.Parse(values[2], CultureInfo.InvariantCulture), long.Parse(values[3], CultureInfo.InvariantCulture));
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Published} {Subscribers} {ProcessorMicroseconds:F0} {Bytes}");
}
