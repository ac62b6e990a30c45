using System.Text.RegularExpressions;
using Mux.TestSupport.Transports;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Processes;

[Collection(ProcessesWithoutLoad.Name)]
public sealed partial class ChaosTests
{
    [Fact]
    public async Task It_prints_its_address_and_seed_forwards_and_ends_with_a_summary()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IEcho>(new EchoService());
        server.Start();
        using var tool = ToolProcess.Start("chaos", "127.0.0.1:0", server.Address.ToString(), "--delay", "1ms", "--seed", "42");
        var address = await tool.ReadLineAsync("the address");
        Assert.Equal("Seed 42: --seed 42 replays the faults.", await tool.ReadLineAsync("the seed"));

        await using (var channel = MuxChannel.Create(address))
        {
            Assert.Equal([1, 2], await channel.CreateProxy<IEcho>().EchoAsync([1, 2], TestContext.Current.CancellationToken).AsTask().Within("the reply"));
        }

        tool.SendTerminate();
        var result = await tool.EndAsync();
        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Empty(result.Errors);
        Assert.Contains(result.Output, line => Connections().IsMatch(line));
        Assert.Contains("faults        0 stalls, 0 resets, 0 bytes dropped, 0 bytes corrupted", result.Output);
        Assert.Equal("seed          42", result.Output[^1]);
    }

    [Theory]
    [InlineData("127.0.0.1:0", "localhost:1", "mux://127.0.0.1:")]
    [InlineData("muxs://127.0.0.1:0", "localhost:1", "muxs://127.0.0.1:")]
    [InlineData("127.0.0.1:0", "muxs://localhost:1", "muxs://127.0.0.1:")]
    [InlineData("muxs://127.0.0.1:0", "muxs://localhost:1", "muxs://127.0.0.1:")]
    public async Task The_printed_address_has_the_scheme_that_is_written(string listen, string target, string expected)
    {
        using var tool = ToolProcess.Start("chaos", listen, target, "--quiet", "--until-stdin-ends");
        Assert.StartsWith(expected, await tool.ReadLineAsync("the address"), StringComparison.Ordinal);
        tool.CloseInput();
        Assert.Equal(ExitCode.Success, (await tool.EndAsync()).ExitCode);
    }

    [GeneratedRegex("^connections   1 accepted, 0 of them reset")]
    private static partial Regex Connections();
}
