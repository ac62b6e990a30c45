using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using SideBySide.Processes;
using SideBySide.Stacks;
using SideBySide.Stacks.OfMux;

namespace SideBySide.Reporting;

/// <summary>How and on what it was measured, read from the processes that did it.</summary>
/// <param name="Date">When it ended, UTC.</param>
/// <param name="Machine">Processors, system and runtime.</param>
/// <param name="CongestionControl">In force on the connections of all processes.</param>
/// <param name="Rounds">Of each stack in each shape.</param>
/// <param name="Timing">Of each run.</param>
/// <param name="Differences">What was not the same for all though it was to be; none in a fair run.</param>
internal sealed record RunSettings(string Date, string Machine, string CongestionControl, int Rounds, RunTiming Timing, IReadOnlyList<string> Differences)
{
    private const string ProcessorFile = "/proc/cpuinfo";
    private const string ModelName = "model name";

    public static RunSettings Of(RunOptions options, PeerTable table)
    {
        var controls = table.Stacks.SelectMany(stack => table.RunsOf(stack).SelectMany(run => new[] { run.Client.CongestionControl, run.Server.CongestionControl })).Distinct().ToArray();
        var differences = new List<string>();
        if (controls.Length > 1) differences.Add($"The connections did not all have the same congestion control: {string.Join(", ", controls.Select(Named))}.");
        return new RunSettings(
            DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture), DescribeMachine(), controls is [var one] ? Named(one) : "unknown", options.Rounds, options.Timing, differences);

        static string Named(string? control) => control ?? "not told";
    }

    /// <summary>The garbage collectors of the client's and the server's processes.</summary>
    public static string CollectorsOf(PeerTable table, Stack stack) =>
        string.Join("; ", table.RunsOf(stack).Select(run => $"{run.Client.GarbageCollector} / {run.Server.GarbageCollector}").Distinct());

    /// <summary>The packages or parts of the runtime that make a stack, with their versions.</summary>
    public static string VersionsOf(Stack stack) => string.Join(", ", stack.Assemblies.Select(assembly =>
    {
        var version = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? assembly.GetName().Version!.ToString();
        return $"{assembly.GetName().Name} {(stack is MuxStack ? WithShortCommit(version) : version.Split('+')[0])}";
    }));

    // The commit tells more than the version, which many commits share.
    private static string WithShortCommit(string version) => version.Split('+') is [var number, { Length: > 8 } commit] ? $"{number}+{commit[..8]}" : version;

    private static string DescribeMachine()
    {
        var model = File.Exists(ProcessorFile)
            ? File.ReadLines(ProcessorFile).FirstOrDefault(line => line.StartsWith(ModelName, StringComparison.Ordinal))?.Split(':', 2)[1].Trim() : null;
        var system = OperatingSystem.IsLinux() ? $"{RuntimeInformation.OSDescription}, kernel {Environment.OSVersion.Version.ToString(3)}" : RuntimeInformation.OSDescription;
        return $"{Environment.ProcessorCount} CPUs{(model is null ? "" : $" ({model})")}, {system}, {RuntimeInformation.FrameworkDescription}";
    }
}
