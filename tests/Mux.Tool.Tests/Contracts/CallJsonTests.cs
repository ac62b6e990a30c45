using System.Text;
using Mux.Reflection;
using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>JSON that <c>mux call</c> reads and prints, and the limits of both.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class CallJsonTests : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-call-").FullName;
    private MuxServer? _server;

    public async ValueTask DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        if (_server is not null) await _server.DisposeAsync();
    }

    [Theory]
    [InlineData("{\n  \"title\": \"a\"\n}\n{\n  \"title\": \"}b\\\"\"\n}", "{\"title\":\"a}b\\\"\"}")]
    [InlineData("{\"title\":\"a\"}{\"title\":\"b\"} {\"title\":\"c\"}", "{\"title\":\"abc\"}")]
    [InlineData("[{\"title\":\"a\"},\n{\"title\":\"b\", \"pages\":[1,2]}]", "{\"title\":\"ab\"}")]
    [InlineData("[{\"title\":\"a\"}]\n[]{\"title\":\"b\"}", "{\"title\":\"ab\"}")]
    [InlineData("[]", "{}")]
    [InlineData("", "{}")]
    public async Task Items_stand_one_after_the_other_or_in_an_array(string items, string expected)
    {
        AssertPrinted(await CallAsync("Bind", "-d", items), expected);
        AssertPrinted(await ToolInside.RunWithInputAsync(items, "call", Address, "test.Desk/Bind"), expected);
    }

    [Fact]
    public async Task A_message_before_the_stream_is_the_first_value_of_the_array() =>
        AssertPrinted(await CallAsync("BindAs", "-d", "[{\"number\":3},{\"title\":\"a\"}]"), "{\"title\":\"3:a\"}");

    [Fact]
    public async Task An_item_is_sent_when_its_last_byte_is_there()
    {
        Start(new Desk());
        using var tool = ToolProcess.Start("call", Address, "test.Desk/FindEach");
        tool.Write("[{\n\"number\":1}");
        Assert.Equal("{\"title\":\"A1\"}", await tool.ReadLineAsync("the reply to the first item"));
        tool.Write(",{\"number\":2}]");
        Assert.Equal("{\"title\":\"A2\"}", await tool.ReadLineAsync("the reply to the second item"));
        tool.CloseInput();
        Assert.Equal(ExitCode.Success, (await tool.EndAsync()).ExitCode);
    }

    [Theory]
    [InlineData("[{\"title\":\"a\"}\n{\"title\":\"b\"}]", "mux call: --data: Line 2: an element of the array is followed by neither ',' nor ']'.")]
    [InlineData("[{\"title\":\"a\"},\n", "mux call: --data: Line 2: the array has no end; expected ',' or ']'.")]
    [InlineData("{\n}{\n\"title\":7}", "mux call: --data: Line 2: The JSON cannot be read: $.title is a number; allowed are texts.")]
    [InlineData("[[]]", "mux call: --data: Line 1: The JSON cannot be read: $ is a list; allowed is an object.")]
    public async Task What_is_wrong_between_or_in_values_is_told_with_the_line(string items, string expected)
    {
        var result = await CallAsync("Bind", "-d", items);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Equal(expected, Assert.Single(result.Errors));
    }

    [Theory]
    [InlineData("Bind")]
    [InlineData("Find")]
    public async Task Bytes_that_are_not_UTF_8_are_refused_with_their_place(string method)
    {
        byte[] bytes = [.. "{\n\"title\":\"\u00FCx"u8, 0xFC, .. "\"}"u8];
        var file = Path.Combine(_folder, "latin1.json");
        await File.WriteAllBytesAsync(file, bytes, TestContext.Current.CancellationToken);
        var ofFile = await CallAsync(method, "-d", $"@{file}");
        var ofInput = await ToolInside.RunWithInputAsync(new MemoryStream(bytes), "call", Address, $"test.Desk/{method}", "-d", "@-");
        Assert.True((ofFile.ExitCode, ofInput.ExitCode) == (ExitCode.Usage, ExitCode.Usage), $"{ofFile}\n{ofInput}");
        const string place = "Line 2: byte 15 of the input, FC, is not UTF-8; expected UTF-8.";
        Assert.Equal($"mux call: --data '@{file}': {place}", Assert.Single(ofFile.Errors));
        Assert.Equal($"mux call: --data '@-': {place}", Assert.Single(ofInput.Errors));
    }

    [Theory]
    [InlineData("utf-8")]
    [InlineData("utf-16")]
    [InlineData("utf-16BE")]
    public async Task A_mark_at_the_beginning_of_a_file_is_read(string name)
    {
        var encoding = Encoding.GetEncoding(name);
        var file = Path.Combine(_folder, "marked.json");
        byte[] bytes = [.. encoding.Preamble, .. encoding.GetBytes("{\"title\":\"\u00FC\"}")];
        await File.WriteAllBytesAsync(file, bytes, TestContext.Current.CancellationToken);
        AssertPrinted(await CallAsync("Bind", "-d", $"@{file}"), "{\"title\":\"\u00FC\"}");
    }

    [Fact]
    public async Task A_large_reply_needs_the_option_that_the_error_names()
    {
        Start(new Desk(new string('x', 5 << 20)));
        var refused = await CallAsync("Find", "-d", "{\"number\":1}");
        Assert.True(refused.ExitCode == ExitCode.Faulty, refused.ToString());
        Assert.Contains("For this command that is --max-message.", refused.Errors[0], StringComparison.Ordinal);
        var taken = await CallAsync("Find", "-d", "{\"number\":1}", "--max-message", "6m");
        Assert.True(taken.ExitCode == ExitCode.Success, string.Join('\n', taken.Errors));
        Assert.Equal((5 << 20) + "{\"title\":\"1\"}".Length, Assert.Single(taken.Output).Length);
    }

    [Fact]
    public async Task A_deadline_that_passed_is_told_with_the_option_that_allows_more()
    {
        var result = await CallAsync("Watch", "-d", "{\"number\":3}", "--timeout", "300ms");
        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.EndsWith(" Allow more time with --timeout.", result.Errors[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Fields_of_zero_are_printed_if_that_is_asked_for() => AssertPrinted(
        await CallAsync("Find", "-d", "{\"number\":7}", "--emit-defaults"),
        "{\"title\":\"A7\",\"pages\":[],\"copies\":{},\"binding\":\"Binding_Paper\"}");

    [Theory]
    [InlineData("\U0001F600 \U0001F468\u200D\U0001F469", "\U0001F600 \U0001F468\u200D\U0001F469")]
    [InlineData("a\u202Eb\u2066c", "a\\u202Eb\\u2066c")]
    [InlineData("a\u0007\u009B1m\u2028", "a\\u0007\\u009B1m\\u2028")]
    public async Task Emoji_are_printed_and_characters_that_control_a_terminal_are_not(string text, string expected)
    {
        Start(new Desk(text));
        AssertPrinted(await CallAsync("Find", "-d", "{\"number\":1}"), $"{{\"title\":\"{expected}1\"}}");
    }

    [Theory]
    [InlineData("{\"titel\":\"a\"}", "$ has the name 'titel'; allowed are the fields of 'Mux.Tool.Tests.Contracts.Book': title, pages, copies, binding, year; did you mean 'title'?")]
    [InlineData("{\"binding\":\"Binding_Papre\"}", ": Binding_Paper, Binding_Leather; did you mean 'Binding_Paper'?")]
    public async Task An_unknown_name_is_told_with_those_that_are_known(string item, string expected)
    {
        var result = await CallAsync("Bind", "-d", item);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.EndsWith(expected, Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    private string Address => _server!.Address.ToString();

    private void Start(Desk desk)
    {
        _server = new MuxServer("mux://127.0.0.1:0").AddService<IDesk>(desk).AddReflection();
        _server.Start();
    }

    private Task<ToolResult> CallAsync(string method, params string[] arguments)
    {
        if (_server is null) Start(new Desk());
        return ToolInside.RunAsync(["call", Address, $"test.Desk/{method}", .. arguments]);
    }

    private static void AssertPrinted(ToolResult result, string expected)
    {
        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Equal(expected, Assert.Single(result.Output));
        Assert.Empty(result.Errors);
    }
}
