using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>A probe that runs a command.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class HealthCommandTests
{
    [Fact]
    public async Task It_tells_in_its_exit_code_whether_a_server_serves()
    {
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", StopDelay = TimeSpan.FromMinutes(1) }).AddService<IShelf>(new Shelf());
        server.Start();
        var address = server.Address.ToString();
        await AssertEndsAsync(ExitCode.Success, "serving", "health", address);
        await AssertEndsAsync(ExitCode.Success, "serving", "health", address, "test.Shelf");
        await AssertEndsAsync(ExitCode.Faulty, $"mux health: {address} does not serve 'test.Other'.", "health", address, "test.Other");
        server.AnnounceStop();
        await AssertEndsAsync(ExitCode.Faulty, "not serving", "health", address);
        server.Dispose(); // does not wait
        var gone = await ToolInside.RunAsync("health", address);
        Assert.True(gone.ExitCode == ExitCode.Unreachable, gone.ToString());
    }

    [Fact]
    public async Task A_server_that_does_not_say_is_told_apart()
    {
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", EnableHealth = false }).AddService<IShelf>(new Shelf());
        server.Start();
        var address = server.Address.ToString();
        await AssertEndsAsync(ExitCode.Faulty, $"mux health: {address} does not say whether it serves: EnableHealth of its options is false.", "health", address);
    }

    private static async Task AssertEndsAsync(int exitCode, string line, params string[] arguments)
    {
        var result = await ToolInside.RunAsync(arguments);
        Assert.True(result.ExitCode == exitCode, result.ToString());
        Assert.Equal(line, Assert.Single(result.Output.Concat(result.Errors)));
    }
}
