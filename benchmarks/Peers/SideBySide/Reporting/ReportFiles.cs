using System.Globalization;
using SideBySide.Load;
using SideBySide.Stacks.OfMux;

namespace SideBySide.Reporting;

/// <summary>Where the tables and the charts go. Folders are those of the repository, in which the program is run.</summary>
internal static class ReportFiles
{
    private const string Aside = "artifacts/peers";

    // A load with and one without much to merge, so that no chart shows only what suits one stack.
    private static readonly string[] s_charted = ["10x200", "10x1"];

    /// <param name="table">The figures.</param>
    /// <param name="settings">How they were made.</param>
    /// <param name="isForShow">Whether they replace those in the documentation.</param>
    public static void Write(PeerTable table, RunSettings settings, bool isForShow)
    {
        var (results, images) = isForShow ? ("benchmarks/results", "docs/images") : (Aside, Aside);
        Directory.CreateDirectory(results);
        Directory.CreateDirectory(images);
        var page = MarkdownReport.Write(table, settings);
        Console.WriteLine(page);
        Save(Path.Combine(results, "peers.md"), page);
        var bands = BandsOf(table);
        if (bands.Count == 0) return;
        string[] notes =
        [
            string.Create(CultureInfo.InvariantCulture, $"Median of {settings.Rounds} {(settings.Rounds == 1 ? "round" : "rounds, lines: interval or range")}. CPU of both processes, user and system. {settings.Date[..10]}, congestion control {settings.CongestionControl}."),
            "A request of 11 bytes and a reply of 49 as protobuf; client and server are two processes on one machine, TCP on loopback:",
            settings.Machine,
        ];
        foreach (var theme in ChartTheme.All) Save(Path.Combine(images, $"peers-{theme.Name}.svg"), BarChart.Draw(theme, "The same call in Mux and in other .NET stacks", bands, notes));
    }

    private static List<ChartBand> BandsOf(PeerTable table)
    {
        var shapes = table.Shapes.Where(shape => s_charted.Contains(shape.Name)).ToArray();
        var bands = new List<ChartBand>();
        foreach (var shape in shapes.Length > 0 ? shapes : [.. table.Shapes.Take(s_charted.Length)])
        {
            var stacks = table.Stacks.Where(stack => table.Of(stack, shape, run => run.Rate) is not null).ToArray();
            if (stacks.Length == 0) continue;
            var unit = shape.Kind == ShapeKind.Read ? "item" : "call";
            bands.Add(new ChartBand(
                shape.Title,
                new ChartPanel($"{unit}s per second, more is better", [.. stacks.Select(stack => new ChartBar(stack.Title, table.Of(stack, shape, run => run.Rate)!.Value, stack is MuxStack))]),
                new ChartPanel($"microseconds of CPU per {unit}, less is better", [.. stacks.Select(stack => new ChartBar(stack.Title, table.Of(stack, shape, run => run.Cpu)!.Value, stack is MuxStack))])));
        }

        return bands;
    }

    private static void Save(string path, string text)
    {
        File.WriteAllText(path, text);
        Console.Error.WriteLine($"wrote {path}");
    }
}
