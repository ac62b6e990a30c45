using System.Globalization;

namespace FanOut.Rounds;

/// <summary>What is to be run.</summary>
internal sealed record RunOptions(int Connections, int Rounds, double Seconds, double Warmup, double Goal)
{
    /// <returns>False if an argument is none of those that are known, or its value is not valid.</returns>
    public static bool TryParse(string[] arguments, out RunOptions options)
    {
        options = new(1_000, 5, 3, 2, 8);
        if (arguments.Length % 2 != 0) return false;
        for (int i = 0; i < arguments.Length; i += 2)
        {
            if (!double.TryParse(arguments[i + 1], CultureInfo.InvariantCulture, out double value)) return false;
            switch (arguments[i])
            {
                case "--connections" when value is >= 1 and <= 8_000:
                    options = options with { Connections = (int)value };
                    break;
                case "--rounds" when value is >= 1 and <= 100:
                    options = options with { Rounds = (int)value };
                    break;
                case "--seconds" when value is >= 0.1 and <= 600:
                    options = options with { Seconds = value };
                    break;
                case "--warmup" when value is >= 0.1 and <= 600:
                    options = options with { Warmup = value };
                    break;
                case "--goal" when value >= 0:
                    options = options with { Goal = value };
                    break;
                default:
                    return false;
            }
        }

        return true;
    }
}
