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

    [GeneratedRegex("^connections   1 accepted, 0 of them reset")]
    private static partial Regex Connections();
}
