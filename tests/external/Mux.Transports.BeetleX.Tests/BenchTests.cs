using System.Diagnostics;
using Mux.TestSupport.Transports;

namespace Mux.Transports.BeetleX.Tests;

/// <summary>The tool does not know this transport and finds it beside itself.</summary>
[Collection(nameof(TransportTests))]
public sealed class BenchTests
{
    [Fact]
    public async Task A_bench_over_BeetleX_loses_and_mixes_up_nothing()
    {
        var start = new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "Mux.Tool.dll"), "bench", "--engine", "beetlex", "--duration", "500ms", "--warmup", "0ms", "--quiet"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        var errors = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        try
        {
            await process.WaitForExitAsync(TestContext.Current.CancellationToken).Within("the end of the bench");
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }

        Assert.Equal(string.Empty, await errors);
        Assert.Equal(0, process.ExitCode);
        Assert.Contains("errors: none", await output, StringComparison.Ordinal);
    }
}
