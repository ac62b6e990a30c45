using Mux.Description;
using Mux.Reflection;
using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>Calls of methods by their names, with JSON.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class CallCommandTests : IAsyncDisposable
{
    private readonly Desk _desk = new();
    private readonly MuxServer _server;
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-call-").FullName;

    public CallCommandTests() => _server = new MuxServer("mux://127.0.0.1:0").AddService<IDesk>(_desk);

    private string Address => _server.Address.ToString();

    public ValueTask DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        return _server.DisposeAsync();
    }

    [Theory]
    [InlineData("Find", "{\"number\":7}", "{\"title\":\"A7\"}")]
    [InlineData("Close", null, "{}")]
    [InlineData("Drop", "{\"title\":\"old\"}")]
    [InlineData("Bind", "{\"title\":\"a\"}\n\n{\"title\":\"b\"}\n", "{\"title\":\"ab\"}")]
    [InlineData("BindAs", "{\"number\":3}\n{\"title\":\"a\"}\n{\"title\":\"b\"}", "{\"title\":\"3:ab\"}")]
    [InlineData("Watch", "{\"number\":2}", "{\"title\":\"A1\"}", "{\"title\":\"A2\"}")]
    [InlineData("FindEach", "{\"number\":1}\n{\"number\":2}", "{\"title\":\"A1\"}", "{\"title\":\"A2\"}")]
    [InlineData("Annotate", "{\"Text\": \"new\"}", "{\"Text\":\"new\\n!\"}")]
    public async Task A_method_of_any_shape_is_called_with_json(string method, string? data, params string[] expected)
    {
        _server.AddReflection().Start();
        AssertPrinted(expected, await RunAsync(method, data is null ? [] : ["-d", data]));
        if (method == "Drop") await _desk.Dropped.WaitAsync();
        Assert.Equal(method == "Close", _desk.Closed.IsSet);
    }

    [Fact]
    public async Task Messages_come_from_a_file_or_the_standard_input()
    {
        _server.AddReflection().Start();
        var file = Path.Combine(_folder, "books.ndjson");
        await File.WriteAllTextAsync(file, "{\"title\":\"ü\"}\n{\"title\":\"b\"}\n", TestContext.Current.CancellationToken);
        AssertPrinted(["{\"title\":\"üb\"}"], await RunAsync("Bind", "-d", $"@{file}"));
        AssertPrinted(["{\"title\":\"xy\"}"], await ToolInside.RunWithInputAsync("{\"title\":\"x\"}\n{\"title\":\"y\"}", "call", Address, "test.Desk/Bind"));
        AssertPrinted(["{\"title\":\"A4\"}"], await ToolInside.RunWithInputAsync("{\n\"number\":4\n}", "call", Address, "test.Desk/Find", "-d", "@-"));
    }

    [Fact]
    public async Task Metadata_goes_with_the_call()
    {
        _server.AddReflection().Start();
        AssertPrinted(["{\"title\":\"A1\",\"year\":1999}"], await RunAsync("Find", "-d", "{\"number\":1}", "-H", "year: 1999"));
    }

    [Fact]
    public async Task A_failure_tells_its_status_its_execution_and_its_detail()
    {
        _server.AddReflection().Start();
        var result = await RunAsync("Find", "-d", "{\"number\":-1}");
        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.Contains("There is no book", result.Errors[0], StringComparison.Ordinal);
        Assert.DoesNotContain(result.Errors, static line => line.Any(char.IsControl));
        Assert.Equal(["  status: NotFound", "  execution: executed", "  detail: Mux.Tool.Tests.Contracts.BookQuery {\"number\":5}"], result.Errors[1..]);
        Assert.Empty(result.Output);
    }

    [Theory]
    [InlineData("Find", "[{\"number\":1},{\"number\":2}]", "{\"title\":\"A1\"}", "{\"title\":\"A2\"}")]
    [InlineData("Find", "{\"number\":1}\n{\"number\":2}", "{\"title\":\"A1\"}", "{\"title\":\"A2\"}")]
    [InlineData("Find", "[{\"number\":3}]", "{\"title\":\"A3\"}")]
    [InlineData("Watch", "[{\"number\":2},{\"number\":1}]", "{\"title\":\"A1\"}", "{\"title\":\"A2\"}", "{\"title\":\"A1\"}")]
    [InlineData("Close", "[{},{}]", "{}", "{}")]
    [InlineData("Drop", "[{\"title\":\"a\"},{\"title\":\"old\"}]")]
    public async Task Several_requests_are_a_call_each_in_their_order(string method, string data, params string[] expected)
    {
        _server.AddReflection().Start();
        AssertPrinted(expected, await RunAsync(method, "-d", data));
        if (method == "Drop") await _desk.Dropped.WaitAsync();
    }

    [Theory]
    [InlineData("[{\"number\":1},{\"number\":-1},{\"number\":3}]", "Request 2 of 3: ", 1, "  not sent: request 3")]
    [InlineData("[{\"number\":-1},{\"number\":-1},{\"number\":3}]", "Request 1 of 3: ", 0, "  not sent: requests 2 to 3")]
    [InlineData("[{\"number\":1},{\"number\":-1}]", "Request 2 of 2: ", 1, null)]
    public async Task The_first_of_several_requests_that_fails_is_named_and_ends_the_command(
        string data, string place, int replies, string? unsent)
    {
        _server.AddReflection().Start();
        var result = await RunAsync("Find", "-d", data);
        Assert.True(result.ExitCode == ExitCode.Faulty && result.Output.Length == replies, result.ToString());
        Assert.StartsWith($"mux call: {place}", result.Errors[0], StringComparison.Ordinal);
        Assert.Equal(unsent, result.Errors.SingleOrDefault(static line => line.Contains("not sent", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task No_request_is_sent_before_all_are_read()
    {
        _server.AddReflection().Start();
        var result = await RunAsync("Find", "-d", "[{\"number\":1},{\"numbr\":2}]");
        Assert.True(result.ExitCode == ExitCode.Usage && result.Output.Length == 0, result.ToString());
        Assert.StartsWith("mux call: --data: Request 2: ", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_is_gone_did_not_execute_the_call()
    {
        _server.Start();
        var address = Address;
        await _server.DisposeAsync();
        var result = await ToolInside.RunAsync("call", address, "test.Desk/Close", "--assembly", typeof(IDesk).Assembly.Location, "--timeout", "5s");
        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Equal("  execution: not executed", result.Errors[2]);
    }

    [Theory]
    [InlineData("Find", "{\"number\":\"x\"}", "mux call: --data: The JSON cannot be read: $.number ")]
    [InlineData("Bind", "{\"title\":\"a\"}\n{\"pages\":[1,true]}", "mux call: --data: Line 2: The JSON cannot be read: $.pages[1] ")]
    [InlineData("BindAs", "", "mux call: The method has a message before its stream: expected it ahead of the items.")]
    [InlineData("Annotate", "{", "mux call: --data: The JSON cannot be read: expected JSON; line 1, ")]
    [InlineData("Find", "\n{\"number\":1}\n{\"number\"", "mux call: --data: The JSON cannot be read: line 3, byte ")]
    [InlineData("Find", "{\"number\":1} x", "mux call: --data: The JSON cannot be read: line 1, byte 14 is wrong.")]
    [InlineData("Find", "\n{\"number\"", "mux call: --data: The JSON cannot be read: $")]
    [InlineData("Find", "@nowhere.json", "mux call: --data '@nowhere.json' cannot be read: ")]
    [InlineData("Find", null, "mux call: 'test.Desk/Find' has a request: expected it as --data")]
    [InlineData("Copy", "{}", "mux call: The method has messages in the format 'raw': expected protobuf or json")]
    [InlineData("Fnd", "{}", "has no method 'test.Desk/Fnd'; did you mean 'test.Desk/Find'?")]
    [InlineData("Recatalogue", "{}", "has no method 'test.Desk/Recatalogue': it has test.Desk/Find, test.Desk/Close, ")]
    public async Task What_is_wrong_is_told_with_its_place(string method, string? data, string expected)
    {
        _server.AddReflection().Start();
        var result = await RunAsync(method, data is null ? [] : ["-d", data]);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(expected, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }

    [Theory]
    [InlineData("test.Dask/Find", "has no service 'test.Dask'; did you mean 'test.Desk'?")]
    [InlineData("Find", "METHOD 'Find': expected SERVICE/METHOD, such as shop.Orders/Find.")]
    public async Task A_service_that_a_server_does_not_have_is_told(string method, string expected)
    {
        _server.AddReflection().Start();
        var result = await ToolInside.RunAsync("call", Address, method);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(expected, Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_without_reflection_is_called_with_a_file_of_contracts()
    {
        _server.Start();
        var proto = Path.Combine(_folder, "desk.proto");
        const string text = "syntax = \"proto3\"; package test; message Query { int32 number = 1; } message Book { string title = 1; } " +
            "service Desk { rpc Find (Query) returns (Book); rpc Watch (Query) returns (stream Book); }";
        await File.WriteAllTextAsync(proto, text, TestContext.Current.CancellationToken);
        AssertPrinted(["{\"title\":\"A7\"}"], await RunAsync("Find", "-d", "{\"number\":7}", "--proto", proto));

        var descriptors = Path.Combine(_folder, "desk.pb");
        await File.WriteAllBytesAsync(descriptors, ContractSet.Of<IDesk>().ToFileDescriptorSet(), TestContext.Current.CancellationToken);
        AssertPrinted(["{\"title\":\"A1\"}"], await RunAsync("Watch", "-d", "{\"number\":1}", "--descriptors", descriptors));

        var result = await RunAsync("Find", "-d", "{}");
        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Contains("does not describe its contracts", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    private Task<ToolResult> RunAsync(string method, params string[] arguments) => ToolInside.RunAsync(["call", Address, $"test.Desk/{method}", .. arguments]);

    private static void AssertPrinted(string[] expected, ToolResult result)
    {
        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Equal(expected, result.Output);
        Assert.Empty(result.Errors);
    }
}
