using Mux.Reflection;
using Mux.Tool.Tests.Contracts;

namespace Mux.Tool.Tests.Processes;

/// <summary>Commands whose output nobody reads any more, such as before <c>| head</c>: they end, also while they have nothing to print.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class ClosedOutputTests
{
    private const string NoServer = "127.0.0.1:1";

    public ClosedOutputTests() => Assert.SkipWhen(OperatingSystem.IsWindows(), "The end of a reader is not told.");

    [Theory]
    [InlineData("call")]
    [InlineData("watch")]
    public async Task A_call_ends_with_the_last_reader_of_its_output(string command)
    {
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IDesk>(new Desk()).AddReflection();
        server.Start();
        using var tool = ToolProcess.Start(command, server.Address.ToString(), "test.Desk/Watch", "-d", "{\"number\":3}");
        Assert.Equal("{\"title\":\"A1\"}", await tool.ReadLineAsync("an item"));
        AssertEnded(await tool.CloseOutputAsync());
    }

    [Theory]
    [InlineData("chaos", "127.0.0.1:0", NoServer)]
    [InlineData("spec", "--listen", "mux://127.0.0.1:0", "--wait", "1h")]
    public async Task A_command_that_waits_for_others_ends_with_the_last_reader_of_its_output(params string[] arguments)
    {
        using var tool = ToolProcess.Start(arguments);
        await tool.ReadLineAsync("the address");
        AssertEnded(await tool.CloseOutputAsync());
    }

    [Fact]
    public async Task A_ping_without_an_end_ends_with_the_last_reader_of_its_output()
    {
        var (server, address) = await ToolProcess.ServeAsync();
        using (server)
        {
            using var ping = ToolProcess.Start("ping", address, "--interval", "10ms");
            await ping.ReadLineAsync("a line");
            Assert.NotEqual(ExitCode.Internal, (await ping.CloseOutputAsync()).ExitCode);
        }
    }

    [Fact]
    public async Task A_server_goes_on_when_its_address_was_read()
    {
        var (server, address) = await ToolProcess.ServeAsync();
        using (server)
        {
            var end = server.CloseOutputAsync();
            var ping = await ToolInside.RunAsync("ping", address, "--count", "1");
            Assert.True(ping.ExitCode == ExitCode.Success, ping.ToString());
            server.SendTerminate();
            Assert.Equal(ExitCode.Success, (await end).ExitCode);
        }
    }

    [Theory]
    [InlineData("> /dev/full")]
    [InlineData(">&-")]
    public async Task An_output_that_cannot_be_written_is_no_defect_of_the_tool(string output)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "There is no /dev/full.");
        using var tool = ToolProcess.StartInShell(output, "completion", "bash");
        var result = await tool.EndAsync();
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.StartsWith(
            "mux completion: The standard output cannot be written: ", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("> /dev/full 2>&1", ExitCode.Usage, 0, "completion", "bash")]
    [InlineData("2> /dev/full", ExitCode.Usage, 0, "nothing")]
    [InlineData("2>&-", ExitCode.Usage, 0, "nothing")]
    [InlineData("2> /dev/full", ExitCode.Unreachable, 0, "ls", "mux://" + NoServer)]
    [InlineData("2> /dev/full", ExitCode.Unreachable, 1, "ping", "mux://" + NoServer, "--count", "1", "-o", "json")]
    [InlineData("2> /dev/full", ExitCode.Unreachable, 1, "spec", "--listen", "mux://127.0.0.1:0", "--wait", "1s")]
    public async Task An_error_that_cannot_be_written_leaves_the_exit_code_and_the_results(
        string output, int exitCode, int leastLines, params string[] arguments)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "There is no /dev/full.");
        using var tool = ToolProcess.StartInShell(output, arguments);
        var result = await tool.EndAsync();
        Assert.True(result.ExitCode == exitCode && result.Output.Length >= leastLines, result.ToString());
    }

    [Fact]
    public async Task A_result_that_cannot_be_printed_is_in_its_file()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "There is no /dev/full.");
        var file = Path.GetTempFileName();
        try
        {
            using var tool = ToolProcess.StartInShell(
                "> /dev/full", "ping", "mux://" + NoServer, "--count", "1", "-o", "json", "--json", file);
            var result = await tool.EndAsync();
            Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
            Assert.Contains("mux.ping/", await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken), StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static void AssertEnded(ToolResult result)
    {
        Assert.True(result.ExitCode == ExitCode.OutputClosed, result.ToString());
        Assert.DoesNotContain(result.Errors, static line => line.Contains("   at ", StringComparison.Ordinal) || line.Contains("Interrupted.", StringComparison.Ordinal));
    }
}
