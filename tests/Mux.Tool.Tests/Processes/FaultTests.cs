namespace Mux.Tool.Tests.Processes;

/// <summary>
/// A server that does one thing wrong among thousands of replies is found out. No figure is looked at, and most of the time a lost reply is waited for, so these run at the
/// same time as <see cref="OneProcessAtATime"/>.
/// </summary>
public sealed class FaultTests
{
    [Theory]
    [InlineData("swap", "Wrong replies: 2.")]
    [InlineData("drop", "Lost replies: 1.")]
    [InlineData("double", "Connections ended by a protocol error, such as a second reply: 1.")]
    public async Task One_fault_fails_the_run_and_is_named_and_counted(string fault, string message)
    {
        var (server, address) = await ToolProcess.ServeAsync("--fault", fault);
        using (server)
        {
            var result = await ToolProcess.RunAsync(
                "bench", address, "--connections", "2", "--in-flight", "50", "--warmup", "200ms", "--duration", "500ms", "--quiet");

            Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
            Assert.StartsWith($"mux bench: {message}", result.Errors[0], StringComparison.Ordinal);
            Assert.Equal(fault == "double" ? 2 : 1, result.Errors.Length); // with a connection its other calls fail, which is told as well
        }
    }

    [Fact]
    public async Task Without_a_fault_the_same_run_succeeds()
    {
        var (server, address) = await ToolProcess.ServeAsync();
        using (server)
        {
            var result = await ToolProcess.RunAsync(
                "bench", address, "--connections", "2", "--in-flight", "50", "--warmup", "200ms", "--duration", "500ms", "--quiet");

            Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        }
    }
}
