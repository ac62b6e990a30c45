using System.Text.Json;

namespace Mux.Tool.Tests.Processes;

[Collection(OneProcessAtATime.Name)]
public sealed class SweepAndCompareTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();
    private readonly string _page = Path.GetTempFileName();

    public void Dispose()
    {
        File.Delete(_file);
        File.Delete(_page);
    }

    [Fact]
    public async Task A_sweep_measures_every_cell()
    {
        using var tool = ToolProcess.Start(
            "sweep", "--connections", "1,2", "--in-flight", "1,8", "--size", "16,1024", "--warmup", "0ms", "--duration", "100ms", "--json", _file, "--html", _page);

        var result = await tool.EndByLinesAsync();

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Equal(9, result.Output.TakeWhile(line => !line.Contains("CPU", StringComparison.Ordinal)).Count());
        Assert.Contains(": mux sweep --connections 1,2 ", string.Join(' ', result.Output), StringComparison.Ordinal);
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        var cells = document.RootElement.GetProperty("cells").EnumerateArray().ToArray();
        Assert.Equal(8, cells.Length);
        Assert.All(cells, cell => Assert.True(cell.GetProperty("ci").GetProperty("rate").GetDouble() > 0));
        Assert.Contains("</html>", await File.ReadAllTextAsync(_page, TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_result_compared_with_itself_is_not_worse_and_with_another_kind_refused()
    {
        string[] load = ["bench", "--connections", "1", "--in-flight", "4", "--warmup", "0ms", "--duration", "100ms", "--quiet", "--json"];
        Assert.Equal(ExitCode.Success, (await ToolProcess.RunAsync([.. load, _file, "--html", _page])).ExitCode);
        Assert.Contains("<svg", await File.ReadAllTextAsync(_page, TestContext.Current.CancellationToken), StringComparison.Ordinal);

        var same = await ToolProcess.RunAsync("compare", _file, _file, "--html", _page);
        Assert.True(same.ExitCode == ExitCode.Success, same.ToString());
        Assert.Equal("B is not worse than A.", same.Output[^1]);

        var other = Path.GetTempFileName();
        try
        {
            Assert.Equal(ExitCode.Success, (await ToolProcess.RunAsync([.. load, other, "--workload", "empty"])).ExitCode);

            var refused = await ToolProcess.RunAsync("compare", _file, other);
            Assert.True(refused.ExitCode == ExitCode.Invalid, refused.ToString());
            Assert.Contains("cannot be compared: the workload was employee in the first file and empty in the second. To compare them anyway, add --force.", Assert.Single(refused.Errors), StringComparison.Ordinal);

            var forced = await ToolProcess.RunAsync("compare", _file, other, "--force", "--threshold", "100%");
            Assert.True(forced.ExitCode is ExitCode.Success or ExitCode.Faulty, forced.ToString());
            Assert.Contains("  - the workload was employee in the first file and empty in the second", forced.Output);
            Assert.All(forced.Output, line => Assert.InRange(line.Length, 0, 80));
        }
        finally
        {
            File.Delete(other);
        }
    }
}
