using System.Text.Json;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Tests.Reporting;

public sealed class SweepFileTests
{
    [Fact]
    public void Every_documented_field_is_there_and_in_the_readme()
    {
        var root = JsonSerializer.Deserialize<JsonElement>(ResultJson.Write(Make()));
        var readme = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Tool.README.md"));

        Assert.Equal("mux.sweep/1", root.GetProperty("schema").GetString());
        Assert.Equal(["schema", "environment", "configuration", "cells"], root.EnumerateObject().Select(property => property.Name));
        Assert.Equal(["connections", "in_flight", "size", "ci"], root.GetProperty("cells")[0].EnumerateObject().Select(property => property.Name));
        Assert.Contains("`cells`", readme, StringComparison.Ordinal);
    }

    [Fact]
    public void Its_lines_fit_80_columns()
    {
        var outcome = Outcomes.Make(1_000) with { Elapsed = TimeSpan.FromMicroseconds(0.1) };

        Assert.InRange(SweepSummary.Header.Length, 0, 80);
        Assert.Equal(SweepSummary.Header.Length, SweepSummary.Line(new SweepCell(1024, 16_384, 65_000, outcome)).Length);
    }

    internal static SweepFile Make()
    {
        var outcome = Outcomes.Make(1_000, 2_000);
        return SweepFile.Of([.. from connections in (int[])[1, 4] from open in (int[])[1, 100] select new SweepCell(connections, open, 64, outcome)]);
    }
}
