using System.Globalization;
using SideBySide.Processes;

namespace SideBySide;

/// <summary>What is measured.</summary>
internal sealed record RunOptions
{
    public const string Usage = """
        Usage: bash benchmarks/side-by-side [--rounds 3] [--duration 1.5] [--warmup 2] [--only STACK,...] [--shapes SHAPE,...] [--quick]
               bash benchmarks/side-by-side check
          --rounds    runs of each stack in each shape, 1 to 100; each is a new pair of processes
          --duration  measured seconds of a run, 0.1 to 600
          --warmup    seconds of load before that, 0.1 to 600
          --only      stacks: mux, grpc, grpc-stock, protobuf-net-grpc, signalr-messagepack, signalr-json, streamjsonrpc, http-json
          --shapes    10x200, 1x2000, 10x20, 10x1, 1x1, tasks64, stream, echo, 1000x2
          --quick     1 round of 0.4 s after 0.4 s: shows that all works; its figures are of programs that are still being compiled
          check       checks the replies of each stack and measures nothing
        A run of all stacks and shapes with the timing of the defaults or more writes benchmarks/results/peers.md and docs/images/peers-*.svg; others write to artifacts/peers.
        Exit code 1 if a call failed, was lost or had a wrong reply; 2 if an option is wrong.
        """;

    private const int DefaultRounds = 3;
    private const int MostRounds = 100;
    private const double LeastSeconds = 0.1;
    private const double MostSeconds = 600;

    private static readonly RunTiming s_default = new(Warmup: 2, Duration: 1.5);
    private static readonly RunTiming s_quick = new(Warmup: 0.4, Duration: 0.4);

    private RunOptions(IReadOnlyList<string> stacks, IReadOnlyList<string> shapes) => (Stacks, Shapes) = (stacks, shapes);

    public int Rounds { get; private init; } = DefaultRounds;

    public RunTiming Timing { get; private init; } = s_default;

    /// <summary>Their names, in the order of all.</summary>
    public IReadOnlyList<string> Stacks { get; private init; }

    /// <inheritdoc cref="Stacks"/>
    public IReadOnlyList<string> Shapes { get; private init; }

    /// <summary>Whether the figures are of everything, and long enough to be shown.</summary>
    public bool IsForShow { get; private init; }

    /// <param name="arguments">The command line.</param>
    /// <param name="stacks">The names of all stacks.</param>
    /// <param name="shapes">The names of all shapes.</param>
    /// <exception cref="PeersException">An option is unknown, or its value is missing or not allowed.</exception>
    public static RunOptions Parse(IReadOnlyList<string> arguments, IReadOnlyList<string> stacks, IReadOnlyList<string> shapes)
    {
        var options = new RunOptions(stacks, shapes);
        for (int i = 0; i < arguments.Count; i++)
        {
            var name = arguments[i];
            options = name switch
            {
                "--quick" => options with { Rounds = 1, Timing = s_quick },
                "--rounds" => options with { Rounds = CountOf(name, ValueAfter(ref i)) },
                "--duration" => options with { Timing = options.Timing with { Duration = SecondsOf(name, ValueAfter(ref i)) } },
                "--warmup" => options with { Timing = options.Timing with { Warmup = SecondsOf(name, ValueAfter(ref i)) } },
                "--only" => options with { Stacks = Some(name, ValueAfter(ref i), stacks) },
                "--shapes" => options with { Shapes = Some(name, ValueAfter(ref i), shapes) },
                _ => throw new PeersException($"There is no option '{name}'."),
            };
        }

        bool isLong = options.Rounds >= DefaultRounds && options.Timing.Warmup >= s_default.Warmup && options.Timing.Duration >= s_default.Duration;
        return options with { IsForShow = isLong && options.Stacks.Count == stacks.Count && options.Shapes.Count == shapes.Count };

        string ValueAfter(ref int at) => ++at < arguments.Count ? arguments[at] : throw new PeersException($"{arguments[at - 1]}: its value is missing.");
    }

    private static string[] Some(string name, string value, IReadOnlyList<string> all)
    {
        var chosen = value.Split(',');
        return chosen.FirstOrDefault(one => !all.Contains(one)) is { } unknown ? throw new PeersException($"{name} {unknown}: expected {string.Join(", ", all)}.")
            : [.. all.Where(chosen.Contains)];
    }

    private static int CountOf(string name, string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int count) && count is >= 1 and <= MostRounds
            ? count : throw new PeersException($"{name} {value}: expected a whole number from 1 to {MostRounds}.");

    private static double SecondsOf(string name, string value) =>
        double.TryParse(value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double seconds) && seconds is >= LeastSeconds and <= MostSeconds
            ? seconds : throw new PeersException(string.Create(CultureInfo.InvariantCulture, $"{name} {value}: expected seconds, {LeastSeconds} to {MostSeconds}."));
}
