using Mux.Tool.Reporting.Results;
using Mux.Tool.Serving;

namespace Mux.Tool.Reporting.Html;

/// <summary>Table of the machines and processes of a result.</summary>
internal static class EnvironmentTable
{
    public static Page Environment(this Page page, EnvironmentSection environment)
    {
        (string Name, Func<ProcessEnvironment, object?> Of)[] rows =
        [
            ("tool", side => side.Tool), ("runtime", side => side.Runtime), ("garbage collector", side => side.Gc), ("CPUs", side => side.Cpus),
            ("CPU model", side => side.CpuModel), ("kernel", side => side.Kernel), ("system", side => side.Os),
            ("architecture", side => side.Architecture), ("congestion control", side => side.CongestionControl), ("engine", side => side.Engine),
        ];
        page.Note(EnvironmentLines.OriginOf(environment.Date, environment.Command));
        if (environment.CongestionNote is { } note) page.Note(note);
        return page.Table(
            "Environment",
            ["", "client", "server"],
            [.. rows.Select(row => (
                IReadOnlyList<string>)[row.Name, Text(row.Of(environment.Client)), Text(environment.Server is { } server ? row.Of(server) : null)])],
            (_, column) => column == 0 ? "" : "class=\"text\"");
    }

    private static string Text(object? value) => value?.ToString() ?? Quantity.NotAvailable;
}
