using Mux.Reflection;
using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>What is wrong with the command line of a load of a method.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class BenchMethodInputTests : IAsyncDisposable
{
    private readonly RecordingDesk _desk = new();
    private readonly MuxServer _server;

    public BenchMethodInputTests()
    {
        _server = new MuxServer("mux://127.0.0.1:0").AddService<IDesk>(_desk).AddReflection();
        _server.Start();
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [Theory]
    [InlineData("test.Desk/Find", "{\"number\":\"x\"}", "--data: The JSON cannot be read: $.number ")]
    [InlineData("test.Desk/Find", "[{\"number\":1},{\"numbr\":2}]", "--data: Request 2: The JSON cannot be read: $ ")]
    [InlineData("test.Desk/Find", "{\"number\":1}\n{\"number\":true}", "--data: Request 2: The JSON cannot be read: $.number ")]
    [InlineData("test.Desk/Find", "{\"number\":1}\n{\"number\":}", "--data: The JSON cannot be read: ")]
    [InlineData("test.Desk/Find", "[{\"number\":1},", "--data: The JSON cannot be read: line 1, ")]
    [InlineData("test.Desk/Find", "[]", "'test.Desk/Find' has a request: expected it as --data, such as --data '{}'.")]
    [InlineData("test.Desk/Find", "", "'test.Desk/Find' has a request: expected it as --data")]
    [InlineData("test.Desk/Find", null, "'test.Desk/Find' has a request: expected it as --data")]
    [InlineData("test.Desk/Find", "@nowhere.json", "--data '@nowhere.json' cannot be read: ")]
    [InlineData("test.Desk/Bind", null, "'test.Desk/Bind' has a request stream: expected the items of a call as --data, such as --data '[{}, {}]'.")]
    [InlineData("test.Desk/Bind", "[[{\"title\":\"a\"}],[{\"title\":\"b\"},{\"pages\":[1,true]}]]", "--data: Request 2, item 2: The JSON cannot be read: $.pages[1] ")]
    [InlineData("test.Desk/Bind", "[{\"title\":\"a\"}]\n{\"title\":\"b\"}", "--data: Some requests are arrays and some are not: ")]
    [InlineData("test.Desk/BindAs", "[[]]", "--data: Message before the stream: the method has one: expected it ahead of the items.")]
    [InlineData("test.Desk/BindAs", "[{\"number\":true}]", "--data: Message before the stream: The JSON cannot be read: $.number ")]
    [InlineData("test.Desk/Copy", "{}", "The method has messages in the format 'raw': expected protobuf or json")]
    [InlineData("test.Desk/Fnd", "{}", "has no method 'test.Desk/Fnd'; did you mean 'test.Desk/Find'?")]
    [InlineData("test.Desk/Recatalogue", "{}", "has no method 'test.Desk/Recatalogue': it has test.Desk/Find, test.Desk/Close, ")]
    [InlineData("test.Dask/Find", "{}", "has no service 'test.Dask'; did you mean 'test.Desk'?")]
    [InlineData("Find", "{}", "METHOD 'Find': expected SERVICE/METHOD, such as shop.Orders/Find.")]
    public async Task What_is_wrong_is_told_with_its_place_and_nothing_is_called(string method, string? data, string expected)
    {
        await AssertToldAsync(expected, data is null ? [method] : [method, "-d", data]);
        Assert.Empty(_desk.Seen);
    }

    [Theory]
    [InlineData("--workload does not apply to a METHOD: it is for the workloads of 'mux serve'.", "--workload", "echo")]
    [InlineData("--size does not apply to a METHOD", "--size", "64")]
    [InlineData("--window does not apply to a METHOD", "--window", "5")]
    [InlineData("--bulk-on does not apply to a METHOD", "--bulk-on", "other")]
    [InlineData("--bulk-in-flight does not apply to a METHOD", "--bulk-in-flight", "1")]
    [InlineData("--handler-cost does not apply to a METHOD", "--handler-cost", "50us")]
    [InlineData("--slow does not apply to a METHOD", "--slow", "1%:5ms")]
    [InlineData("--workers does not apply to a METHOD", "--workers", "1")]
    [InlineData("--profile does not apply to a METHOD", "--profile", "internal")]
    [InlineData("--tls applies to the server that is started: give a TARGET with the scheme muxs.", "--tls")]
    [InlineData("--stream-items does not apply to 'test.Desk/Find': it has no response stream.", "--stream-items", "5")]
    [InlineData("--deadline and --timeout exclude each other.", "--deadline", "1s", "--timeout", "1s")]
    [InlineData("--timeout '0ms': expected 1ms to 1h.", "--timeout", "0ms")]
    [InlineData("--proto, --descriptors and --assembly exclude each other.", "--proto", "a.proto", "--assembly", "a.dll")]
    public Task An_option_of_workloads_is_refused(string expected, params string[] options) => AssertToldAsync(expected, ["test.Desk/Find", "-d", "{}", .. options]);

    [Theory]
    [InlineData("--data needs a METHOD after the TARGET, such as shop.Orders/Find.", "-d", "{}")]
    [InlineData("--timeout needs a METHOD after the TARGET", "--timeout", "1s")]
    [InlineData("--proto needs a METHOD after the TARGET", "--proto", "a.proto")]
    [InlineData("the value is an argument of its own: expected quotes around name and value", "-H", "token:", "a/b")]
    public Task An_option_of_a_method_needs_one(string expected, params string[] options) => AssertToldAsync(expected, options);

    [Fact]
    public Task A_method_that_calls_back_is_refused() => AssertToldAsync(
        "'test.Counter/Offer' calls its caller back, which the tool does not serve.", ["test.Counter/Offer", "-d", "{}", "--assembly", typeof(ICounter).Assembly.Location]);

    [Fact]
    public async Task A_server_that_describes_nothing_is_told_to()
    {
        await using var silent = new MuxServer("mux://127.0.0.1:0").AddService<IDesk>(new Desk());
        silent.Start();
        var result = await ToolInside.RunAsync("bench", silent.Address.ToString(), "test.Desk/Find", "-d", "{}");
        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Contains("does not describe its contracts: let it call AddReflection()", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    private async Task AssertToldAsync(string expected, string[] arguments)
    {
        var result = await ToolInside.RunAsync(["bench", _server.Address.ToString(), .. arguments]);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(expected, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }
}
