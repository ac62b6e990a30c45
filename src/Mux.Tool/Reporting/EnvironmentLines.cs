using Mux.Tool.Reporting.Results;
using Mux.Tool.Serving;

namespace Mux.Tool.Reporting;

/// <summary>Lines about where and how a result came about, 80 columns wide.</summary>
internal static class EnvironmentLines
{
    private const int Width = 80;
    private const int LongestModel = 40;

    /// <summary>Gets a line about the machine, or one for each side if they differ.</summary>
    public static IEnumerable<string> Machines(ProcessEnvironment client, ProcessEnvironment? server)
    {
        var (here, there) = (Describe(client), server is null ? null : Describe(server));
        if (there is null || there == here) return [Cut(here)];
        return [Cut($"client: {here}"), Cut($"server: {there}")];
    }

    /// <summary>Gets the lines about the time and the command line, and about a missing congestion control.</summary>
    public static IEnumerable<string> Origin(EnvironmentSection environment)
    {
        if (environment.CongestionNote is { } note)
        {
            foreach (var line in TextLines.Wrap(PrintableText.Of(note), Width)) yield return line;
        }

        foreach (var line in TextLines.Wrap(OriginOf(environment.Date, environment.Command), Width)) yield return line;
    }

    /// <summary>Gets the time and the command line of a result; results of earlier versions have neither.</summary>
    public static string OriginOf(DateTimeOffset? date, string? command) => $"{DateOf(date)}: {PrintableText.Of(command ?? "an unknown command")}";

    private static string DateOf(DateTimeOffset? date) => date is { } at
        ? at.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", System.Globalization.CultureInfo.InvariantCulture) : "unknown date";

    private static string Describe(ProcessEnvironment side)
    {
        var model = side.CpuModel ?? side.Architecture ?? Quantity.NotAvailable;
        string?[] parts =
        [
            model.Length > LongestModel ? model[..LongestModel].TrimEnd() : model,
            side.Cpus == 1 ? "1 CPU" : $"{side.Cpus} CPUs",
            side.Kernel ?? side.Os,
            side.CongestionControl,
        ];
        return PrintableText.Of(string.Join(", ", parts.Where(part => part is not null)));
    }

    private static string Cut(string line) => line.Length > Width ? line[..(Width - 2)] + ".." : line;
}
