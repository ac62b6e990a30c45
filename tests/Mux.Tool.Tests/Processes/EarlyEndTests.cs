using Mux.TestSupport.Transports;

namespace Mux.Tool.Tests.Processes;

/// <summary>Runs that do not get to their end: nothing hangs, nothing is left behind, and the figures so far are printed.</summary>
[Collection(OneProcessAtATime.Name)]
public sealed class EarlyEndTests
{
    private static readonly string[] s_load = ["--connections", "2", "--in-flight", "50", "--warmup", "0ms", "--duration", "1h"];

    [Fact]
    public async Task A_server_killed_under_load_ends_the_run_with_the_figures_so_far()
    {
        var (server, address) = await ToolProcess.ServeAsync();
        using (server)
        {
            using var bench = ToolProcess.Start(["bench", address, .. s_load]);
            await bench.ReadLineAsync("the figures of the first second");
            server.Kill();

            var result = await bench.EndAsync();
            Assert.True(result.ExitCode == ExitCode.ConnectionLost, result.ToString());
            Assert.StartsWith("mux bench: A connection was lost after ", result.Errors[0], StringComparison.Ordinal);
            Assert.Contains(result.Output, line => line.Contains(" calls/s   ", StringComparison.Ordinal) && !line.StartsWith('0'));
            Assert.Contains(result.Output, line => line.StartsWith("errors: failed ", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task A_run_that_is_told_to_stop_prints_the_figures_so_far_and_ends_its_server()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        using var bench = ToolProcess.Start(["bench", .. s_load]);
        await bench.ReadLineAsync("the figures of the first second");
        bench.SendTerminate();

        var result = await bench.EndAsync();
        Assert.True(result.ExitCode == ExitCode.Interrupted, result.ToString());
        Assert.Equal("mux bench: Interrupted: these are the figures so far.", Assert.Single(result.Errors));
        Assert.Contains("errors: none", result.Output);
    }

    [Fact]
    public async Task A_bench_that_is_killed_takes_its_server_with_it()
    {
        using var bench = ToolProcess.Start(["bench", .. s_load]);
        await bench.ReadLineAsync("the figures of the first second");
        Assert.False(bench.AllEnded.IsCompleted);

        bench.Kill();

        await bench.AllEnded.Within("the server process to end after its bench was killed");
    }
}
