using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>A rate of connections on the command line: connections per second, with k for thousands.</summary>
internal readonly record struct ConnectRate(double PerSecond)
{
    public const double Min = 0.01;
    public const double Max = 10_000;
    public const string Expected = "connections per second from 0.01 to 10k, such as 0.5, 20 or 1k";

    public static bool TryParse(string text, out ConnectRate rate)
    {
        bool isThousands = text.EndsWith('k');
        bool isRate = double.TryParse(isThousands ? text.AsSpan(0, text.Length - 1) : text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture,
            out double value) && value * (isThousands ? 1_000 : 1) is >= Min and <= Max;
        rate = new ConnectRate(isRate ? value * (isThousands ? 1_000 : 1) : 0);
        return isRate;
    }
}
