using Mux.Reflection;
using Mux.TestSupport.Transports;
using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>Response streams that are watched across connections.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class WatchCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-watch-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task It_ends_with_the_stream_or_after_the_items_that_were_asked_for()
    {
        await using var server = Serve(new Desk());
        var all = await RunAsync("{\"number\":2}");
        Assert.True(all.ExitCode == ExitCode.Success, all.ToString());
        Assert.Equal(["{\"title\":\"A1\"}", "{\"title\":\"A2\"}"], all.Output);
        var first = await RunAsync("{\"number\":3}", "--count", "1");
        Assert.True(first.ExitCode == ExitCode.Success, first.ToString());
        Assert.Equal(["{\"title\":\"A1\"}"], first.Output);
    }

    [Fact]
    public async Task It_calls_again_when_the_connection_is_lost()
    {
        var desk = new Desk();
        await using var first = Serve(desk);
        var watch = RunAsync("{\"number\":3}", "--count", "3");
        await desk.Watching.WaitAsync();
        first.Dispose(); // does not wait
        await using var second = Serve(new Desk("B"), withReflection: false); // which is not asked again
        var result = await watch.Within("the third item");
        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Equal(3, result.Output.Length);
        Assert.StartsWith("{\"title\":\"B", result.Output[^1], StringComparison.Ordinal);
        Assert.Contains("Calling again in 100ms.", result.Errors[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_ends_at_a_signal()
    {
        if (OperatingSystem.IsWindows()) Assert.Skip("There are no such signals.");
        await using var server = Serve(new Desk());
        using var watch = ToolProcess.Start("watch", Address, "test.Desk/Watch", "-d", "{\"number\":3}");
        Assert.Equal("{\"title\":\"A1\"}", await watch.ReadLineAsync("an item"));
        watch.SendTerminate();
        var result = await watch.EndAsync();
        Assert.True(result.ExitCode == ExitCode.Interrupted, result.ToString());
        Assert.Equal("mux watch: Interrupted.", Assert.Single(result.Errors));
    }

    [Theory]
    [InlineData("Find", "no response stream")]
    [InlineData("Bind", "a request stream")]
    [InlineData("FindEach", "a request stream")]
    public async Task Another_shape_is_for_another_command(string method, string why)
    {
        await using var server = Serve(new Desk());
        var result = await ToolInside.RunAsync("watch", Address, $"test.Desk/{method}", "-d", "{}");
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Equal($"mux watch: 'test.Desk/{method}' has {why}: 'mux call' calls it.", Assert.Single(result.Errors));
    }

    [Fact]
    public async Task Several_requests_are_for_another_command()
    {
        await using var server = Serve(new Desk());
        var result = await RunAsync("[{\"number\":1},{\"number\":2}]");
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Equal(
            "mux watch: --data has several requests: expected one, whose stream is watched; 'mux call' sends several.",
            Assert.Single(result.Errors));
    }

    private string Address => $"mux+unix://{_folder}/desk.sock";

    private MuxServer Serve(Desk desk, bool withReflection = true)
    {
        var server = new MuxServer(Address).AddService<IDesk>(desk);
        if (withReflection) server.AddReflection();
        server.Start();
        return server;
    }

    private Task<ToolResult> RunAsync(string data, params string[] arguments) => ToolInside.RunAsync(["watch", Address, "test.Desk/Watch", "-d", data, .. arguments]);
}
