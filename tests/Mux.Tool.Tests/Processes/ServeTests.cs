namespace Mux.Tool.Tests.Processes;

[Collection(ProcessesWithoutLoad.Name)]
public sealed class ServeTests
{
    [Fact]
    public async Task It_prints_its_address_alone_and_stops_when_asked()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        var (server, address) = await ToolProcess.ServeAsync();
        using (server)
        {
            server.SendTerminate();

            var result = await server.EndAsync();
            Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
            Assert.Equal([address], result.Output);
            Assert.True(MuxAddress.Parse(address).Port > 0, address);
            Assert.Empty(result.Errors);
        }
    }

    [Fact]
    public async Task It_stops_with_its_standard_input_if_told_so()
    {
        var (server, _) = await ToolProcess.ServeAsync("--until-stdin-ends");
        using (server)
        {
            server.CloseInput();

            Assert.Equal(ExitCode.Success, (await server.EndAsync()).ExitCode);
        }
    }

    [Fact]
    public async Task A_port_in_use_is_told_in_one_line()
    {
        var (first, address) = await ToolProcess.ServeAsync();
        using (first)
        {
            var result = await ToolProcess.RunAsync("serve", "--listen", address);

            Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
            Assert.Equal($"mux serve: --listen: Cannot listen at {address}: the address is in use.", Assert.Single(result.Errors));
            Assert.Empty(result.Output);
        }
    }
}
