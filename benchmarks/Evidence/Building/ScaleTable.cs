using System.Diagnostics;
using System.Globalization;
using Evidence.Statistics;
using Microsoft.CodeAnalysis;

namespace Evidence.Building;

/// <summary>What a large project costs: its build by the compiler in a process of its own, with and without the generator, and edits in an editor.</summary>
internal static class ScaleTable
{
    private const double Mega = 1e6;

    /// <exception cref="EvidenceException">The contracts do not compile.</exception>
    public static void Run(CommandLine options)
    {
        int contracts = options.Count("--contracts", 200, 1, 10_000);
        int rounds = options.Count("--rounds", 1, 0, 100);
        int edits = options.Count("--edits", 15, 1, 1_000);
        Console.WriteLine($"{Environment.ProcessorCount} CPUs, {System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription}, {contracts:N0} contracts, " +
            $"{contracts * ScaleSources.Methods:N0} methods, {contracts * ScaleSources.Messages:N0} messages");
        Console.WriteLine();
        Console.WriteLine("| what | without the generator | with it | goal with 200 contracts |");
        Console.WriteLine("|---|---|---|---|");
        if (rounds > 0) Compile(contracts, rounds);
        Edit(contracts, edits, options.Text("--to", string.Empty));
    }

    private static void Compile(int contracts, int rounds)
    {
        var folder = Directory.CreateTempSubdirectory("mux-scale");
        try
        {
            Write(folder.FullName, contracts);
            var without = new List<CompilerRun>();
            var with = new List<CompilerRun>();
            for (int round = 0; round < rounds; round++)
            {
                without.Add(CompilerRun.Of(folder.FullName, hasGenerator: false));
                with.Add(CompilerRun.Of(folder.FullName, hasGenerator: true));
            }

            Print("csc, CPU, s", without, with, static run => run.Cpu, "F1", "<= 35");
            Print("csc, peak of memory, MB", without, with, static run => run.Memory, "F0", string.Empty);
            Print("dll, MB", without, with, static run => run.Library, "F2", "<= 8");
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static void Print(string what, List<CompilerRun> without, List<CompilerRun> with, Func<CompilerRun, double> figure, string format, string goal) =>
        Console.WriteLine($"| {what} | {Median(without.Select(figure), format)} | {Median(with.Select(figure), format)} | {goal} |");

    private static void Edit(int contracts, int edits, string folder)
    {
        var build = new ScaleBuild(contracts);
        var sources = build.Result.Results[0].GeneratedSources;
        if (folder.Length > 0) Keep(folder, contracts, build.Result.Results[0]);
        Console.WriteLine($"| generated files | | {sources.Length:N0} | |");
        Console.WriteLine($"| generated lines | | {sources.Sum(static source => source.SourceText.Lines.Count):N0} | |");
        Console.WriteLine($"| generated characters, M | | {In(sources.Sum(static source => (double)source.SourceText.Length) / Mega, "F1")} | |");
        PrintEdits("an edit of a file without contracts", build.Run, edits, build.EditOther, "<= 20 ms, 2 MB");
        PrintEdits("the same, but it declares a type", build.Run, edits, build.Declare, "<= 20 ms, 2 MB");
        PrintEdits("an edit of a file with one contract", build.Run, edits, build.EditContract, "<= 100 ms");

        // As many messages, but of .proto files.
        var imports = new ImportBuild(contracts);
        PrintEdits("imports: an edit of a file without contracts", imports.Run, edits, imports.EditOther, "<= 20 ms, 2 MB");
        PrintEdits("imports: an edit of the contract that names imported types", imports.Run, edits, imports.EditContract, "<= 100 ms");
        PrintEdits("imports: an edit of one .proto file", imports.Run, edits, imports.EditFile, string.Empty);
    }

    private static void Keep(string folder, int contracts, GeneratorRunResult result)
    {
        Write(Path.Combine(folder, "contracts"), contracts);
        var generated = Directory.CreateDirectory(Path.Combine(folder, "generated")).FullName;
        foreach (var source in result.GeneratedSources) File.WriteAllText(Path.Combine(generated, source.HintName), source.SourceText.ToString());
    }

    private static void Write(string folder, int contracts)
    {
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, "Shared.cs"), ScaleSources.Shared);
        for (int i = 0; i < contracts; i++) File.WriteAllText(Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"Plant{i:D5}.cs")), ScaleSources.Of(i));
    }

    private static void PrintEdits(string what, Action run, int edits, Action<int> edit, string goal)
    {
        var times = new List<double>();
        var allocated = new List<double>();
        for (int i = 0; i < edits; i++)
        {
            edit(i);
            GC.Collect();
            long before = GC.GetTotalAllocatedBytes(precise: true);
            long start = Stopwatch.GetTimestamp();
            run();
            times.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            allocated.Add((GC.GetTotalAllocatedBytes(precise: true) - before) / Mega);
        }

        Console.WriteLine($"| {what} | | {Median(times, "F1")} ms, {Median(allocated, "F2")} MB | {goal} |");
    }

    private static string Median(IEnumerable<double> values, string format) => In(Estimate.MedianOf(values), format);

    private static string In(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
