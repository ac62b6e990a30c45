using System.Diagnostics;
using System.Runtime.InteropServices;
using Mux.Serialization.Oracles.Mutations;
using Mux.Serialization.Oracles.Shapes;

namespace Evidence.Codecs;

/// <summary>Mutated messages of every shape given to the generated codecs, beside Google's library: as in the tests, but as many as one likes.</summary>
internal static class MutationTable
{
    private const int Step = 250_000;

    public static void Run(CommandLine options)
    {
        int count = options.Count("--count", 10_000_000, 1, int.MaxValue);
        int seed = options.Count("--seed", 1, 0, int.MaxValue);
        Console.WriteLine($"{RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}, {RuntimeInformation.ProcessArchitecture}; {ShapeCatalog.All.Count} shapes, seed {seed}, a stack of {MutationRun.StackSize / 1024} KiB.");
        long start = Stopwatch.GetTimestamp();
        try
        {
            var summary = MutationRun.Run(count, seed, Step, inputs => Console.Error.WriteLine($"{inputs:N0} inputs, {Stopwatch.GetElapsedTime(start).TotalSeconds:F0} s"));
            Write(summary, Stopwatch.GetElapsedTime(start));
        }
        catch (MutationFailureException failure)
        {
            throw new EvidenceException(failure.Message);
        }
    }

    private static void Write(MutationSummary summary, TimeSpan elapsed)
    {
        Console.WriteLine();
        Console.WriteLine("| mutated inputs | |");
        Console.WriteLine("|---|---|");
        Row("given, none with a crash or another exception than the one for bad bytes", summary.Inputs);
        Row("read by both libraries, saying the same", summary.ReadAlike);
        Row("refused by both", summary.RefusedAlike);
        Row("refused by ours for a difference that docs/contracts.md lists", summary.RefusedByDifference);
        Row("with a listed difference in what they say, so not compared", summary.NotCompared);
        foreach (var (difference, inputs) in summary.ByDifference) Row($"... with the difference {difference}", inputs);
        Row("bytes", summary.Bytes);
        Row("most bytes allocated for one", summary.MostAllocated);
        Console.WriteLine($"| most bytes allocated for each byte, beyond {MutationRun.AllowedAtAll:N0} for any; {MutationRun.AllowedPerByte} are allowed | {Math.Max(0, summary.MostAllocatedPerByte):F1} |");
        Row("seconds", (long)elapsed.TotalSeconds);
    }

    private static void Row(string name, long value) => Console.WriteLine($"| {name} | {value:N0} |");
}
