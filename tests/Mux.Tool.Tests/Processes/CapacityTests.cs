using System.Text.Json;

namespace Mux.Tool.Tests.Processes;

[Collection(OneProcessAtATime.Name)]
public sealed class CapacityTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    /// <summary>Bounds as wide as a machine that is busy elsewhere needs: how exact the search is, is proven in simulated time.</summary>
    [Fact]
    public async Task One_worker_of_known_cost_is_not_found_to_do_more_than_it_can()
    {
        using var tool = ToolProcess.Start(
            "capacity", "--slo", "p50<33ms", "--handler-cost", "500us", "--workers", "1", "--connections", "2", "--warmup", "100ms", "--step", "200ms", "--precision", "50%", "--json", _file);

        var result = await tool.EndByLinesAsync();

        Assert.True(result.ExitCode is ExitCode.Success or ExitCode.Invalid, result.ToString());
        Assert.All(result.Output, line => Assert.InRange(line.Length, 0, 80));
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        var answer = document.RootElement.GetProperty("answer");
        double rate = answer.GetProperty("rate").GetDouble();
        Assert.InRange(rate, 1, 2_300); // 2,000 by the clock, and any less on a machine that is busy elsewhere
        Assert.InRange(answer.GetProperty("computed_rate").GetDouble(), 1, 2_000);
        Assert.Equal(result.ExitCode == ExitCode.Invalid, answer.GetProperty("at_least").GetBoolean() || !answer.GetProperty("confirmed").GetBoolean());
        Assert.Contains(result.Output, line => line.StartsWith("computed: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Objectives_that_nothing_holds_fail()
    {
        using var tool = ToolProcess.Start("capacity", "--slo", "p50<1us", "--connections", "1", "--warmup", "0ms", "--step", "200ms", "--json", _file);

        var result = await tool.EndByLinesAsync();

        // The generator of a busy machine may be late as well, and then nothing is said of the server.
        Assert.True(result.ExitCode is ExitCode.Faulty or ExitCode.Invalid, result.ToString());
        Assert.Contains(result.Output, line => line.Contains("o rate down to ", StringComparison.Ordinal));
    }
}
