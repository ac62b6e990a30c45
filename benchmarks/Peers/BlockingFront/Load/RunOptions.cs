using System.Globalization;

namespace BlockingFront.Load;

/// <summary>What is measured.</summary>
internal sealed record RunOptions(int[] Callers, int Seconds, int Rounds, string[] Stacks, double Goal)
{
    /// <summary>The first second that counts: before that, threads may be made.</summary>
    public int FirstSecond => Math.Min(10, Seconds / 3);

    public static bool TryParse(string[] args, out RunOptions options)
    {
        options = new RunOptions([70, 150, 300, 1000], 60, 1, ["mux", "grpc", "threads"], 0.8);
        if (args.Length % 2 != 0) return false;
        for (int i = 0; i < args.Length; i += 2)
        {
            var value = args[i + 1];
            switch (args[i])
            {
                case "--callers":
                    options = options with { Callers = [.. value.Split(',').Select(count => int.Parse(count, CultureInfo.InvariantCulture))] };
                    break;
                case "--seconds":
                    options = options with { Seconds = int.Parse(value, CultureInfo.InvariantCulture) };
                    break;
                case "--rounds":
                    options = options with { Rounds = int.Parse(value, CultureInfo.InvariantCulture) };
                    break;
                case "--stacks":
                    options = options with { Stacks = value.Split(',') };
                    break;
                case "--goal":
                    options = options with { Goal = double.Parse(value, CultureInfo.InvariantCulture) };
                    break;
                default:
                    return false;
            }
        }

        return options.Callers.All(count => count > 0) && options is { Seconds: > 2, Rounds: > 0, Stacks.Length: > 0 };
    }
}
