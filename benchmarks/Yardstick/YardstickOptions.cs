using System.Globalization;

namespace Yardstick;

/// <param name="Connections">TCP connections.</param>
/// <param name="InFlight">Calls open at a time on each.</param>
/// <param name="Seconds">How long to measure.</param>
/// <param name="Warmup">Seconds of load before that.</param>
/// <param name="Record">Whether to take the time of each call.</param>
internal sealed record YardstickOptions(int Connections, int InFlight, double Seconds, double Warmup, bool Record)
{
    public static bool TryParse(string[] args, out YardstickOptions options, out string error)
    {
        options = new(10, 200, 5, 3, false);
        error = string.Empty;
        for (int i = 0; i < args.Length; i++)
        {
            if (args[i] == "--record")
            {
                options = options with { Record = true };
                continue;
            }

            error = $"{args[i]}: expected --connections N, --in-flight N, --seconds N, --warmup N or --record, N above 0.";
            if (i + 1 == args.Length || !double.TryParse(args[i + 1], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value) || value <= 0) return false;
            switch (args[i++])
            {
                case "--connections": options = options with { Connections = (int)Math.Ceiling(value) }; break;
                case "--in-flight": options = options with { InFlight = (int)Math.Ceiling(value) }; break;
                case "--seconds": options = options with { Seconds = value }; break;
                case "--warmup": options = options with { Warmup = value }; break;
                default: return false;
            }
        }

        return true;
    }
}
