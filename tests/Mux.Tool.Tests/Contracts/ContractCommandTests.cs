using System.Text.Json;
using Mux.Description;
using Mux.Reflection;
using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>The commands that show contracts.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class ContractCommandTests : IAsyncDisposable
{
    private const string Book = "Mux.Tool.Tests.Contracts.Book";

    private readonly MuxServer _server = new MuxServer("mux://127.0.0.1:0").AddService<IShelf>(new Shelf());
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-contracts-").FullName;

    private string Address => _server.Address.ToString();

    public ValueTask DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        return _server.DisposeAsync();
    }

    [Fact]
    public async Task The_services_of_a_server_are_listed()
    {
        _server.AddReflection().Start();
        var result = await ToolInside.RunAsync("ls", Address);
        AssertPrinted(["grpc.health.v1.Health", "mux.Reflection", "test.Shelf"], result);
    }

    [Fact]
    public async Task The_methods_of_a_service_are_listed_for_people_and_for_programs()
    {
        _server.AddReflection().Start();
        AssertPrinted(["test.Shelf/Find", "test.Shelf/Watch", "test.Shelf/Drop"], await ToolInside.RunAsync("ls", Address, "test.Shelf"));

        var file = Path.Combine(_folder, "ls.json");
        var result = await ToolInside.RunAsync("ls", Address, "test.Shelf", "-o", "json", "--json", file);
        using var json = JsonDocument.Parse(string.Join('\n', result.Output));
        Assert.Equal("mux.ls/1", json.RootElement.GetProperty("schema").GetString());
        Assert.Equal(["test.Shelf/Find", "test.Shelf/Watch", "test.Shelf/Drop"], json.RootElement.GetProperty("methods").EnumerateArray().Select(method => method.GetString()));
        Assert.Equal(string.Join('\n', result.Output), (await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken)).ReplaceLineEndings("\n"));
    }

    [Fact]
    public async Task Everything_is_written_to_files_that_can_be_read_again()
    {
        _server.AddReflection().Start();
        var protos = Path.Combine(_folder, "protos");
        var descriptors = Path.Combine(_folder, "all.pb");
        var result = await ToolInside.RunAsync("describe", Address, "--out", protos, "--descriptors-out", descriptors);
        var names = Directory.GetFiles(protos, "*.proto", SearchOption.AllDirectories);
        var paths = names.Prepend(descriptors).Order(StringComparer.Ordinal);
        Assert.Equal(paths.Select(static path => $"Wrote {path}."), result.Output.Order(StringComparer.Ordinal));
        Assert.Contains(Path.Combine(protos, "mux", "options.proto"), names);

        var server = await ToolInside.RunAsync("describe", Address, "test.Shelf/Find");
        var shelf = Path.Combine(protos, "test.proto");
        AssertPrinted(server.Output, await ToolInside.RunAsync("describe", "--proto", shelf, "test.Shelf/Find"));
        AssertPrinted(server.Output, await ToolInside.RunAsync("describe", "--descriptors", descriptors, "test.Shelf/Find"));
        var again = await ToolInside.RunAsync("describe", Address, "--out", protos);
        Assert.All(again.Output, static line => Assert.EndsWith(" is up to date.", line, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Files_have_no_part_alone()
    {
        _server.AddReflection().Start();
        var result = await ToolInside.RunAsync("describe", Address, "test.Shelf", "--out", _folder);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains("write everything: give no NAME.", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_method_is_described_with_the_messages_that_it_needs()
    {
        _server.AddReflection().Start();
        var result = await ToolInside.RunAsync("describe", Address, "test.Shelf/Find");
        AssertPrinted(
            [
                "service test.Shelf {",
                $"  rpc Find ({Book}Query) returns ({Book});  // idempotent, timeout 2000 ms",
                "}",
                "",
                $"message {Book} {{",
                "  string title = 1;",
                "  repeated int32 pages = 2 [packed = false];",
                "  map<string, int32> copies = 3;",
                "  Mux.Tool.Tests.Contracts.Binding binding = 4;",
                "  optional int32 year = 5;",
                "}",
                "",
                $"message {Book}Query {{",
                "  int32 number = 1;",
                "}",
                "",
                "enum Mux.Tool.Tests.Contracts.Binding {",
                "  Binding_Paper = 0;",
                "  Binding_Leather = 1;",
                "}",
            ],
            result);
    }

    [Fact]
    public async Task A_service_is_described_with_all_shapes_of_methods()
    {
        _server.AddReflection().Start();
        var result = await ToolInside.RunAsync("describe", Address, "test.Shelf");
        Assert.Contains($"  rpc Watch ({Book}Query) returns (stream {Book});", result.Output);
        Assert.Contains($"  rpc Drop ({Book}) returns (google.protobuf.Empty);  // one-way", result.Output);
    }

    [Fact]
    public async Task A_message_is_described_for_programs()
    {
        _server.AddReflection().Start();
        var result = await ToolInside.RunAsync("describe", Address, $"{Book}Query", "-o", "json");
        using var json = JsonDocument.Parse(string.Join('\n', result.Output));
        Assert.Equal("mux.describe/1", json.RootElement.GetProperty("schema").GetString());
        var field = json.RootElement.GetProperty("messages")[0].GetProperty("fields")[0];
        Assert.Equal(("number", 1, "int32"), (field.GetProperty("name").GetString(), field.GetProperty("number").GetInt32(), field.GetProperty("type").GetString()));
    }

    [Theory]
    [InlineData("ls")]
    [InlineData("describe")]
    public async Task A_server_without_reflection_is_told_how_to_get_it(string command)
    {
        _server.Start();
        var result = await ToolInside.RunAsync(command, Address);
        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Equal(
            $"mux {command}: {Address} does not describe its contracts: let it call AddReflection() of the package Mux.Reflection, or name a file with --proto, --descriptors or --assembly.",
            Assert.Single(result.Errors));
    }

    [Theory]
    [InlineData("test.Nothing")]
    [InlineData("test.Shelf/Nothing")]
    public async Task A_name_that_a_server_does_not_have_is_answered_with_those_that_it_has(string name)
    {
        _server.AddReflection().Start();
        var result = await ToolInside.RunAsync("describe", Address, name);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains($"has no '{name}'", Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Contains("test.Shelf", result.Errors[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_service_without_a_description_is_named_by_every_command()
    {
        _server.AddService<Mux.Tool.Contracts.IReflection>(new PartialReflection()).Start();
        AssertPrinted(["test.Shelf", "test.Silent"], await ToolInside.RunAsync("ls", Address));
        var all = await ToolInside.RunAsync("describe", Address);
        Assert.Equal(ExitCode.Success, all.ExitCode);
        Assert.Equal(["// service test.Silent: built without a description", "", "service test.Shelf {"], all.Output[..3]);
        using var json = JsonDocument.Parse(string.Join('\n', (await ToolInside.RunAsync("describe", Address, "-o", "json")).Output));
        Assert.Equal("test.Silent", Assert.Single(json.RootElement.GetProperty("undescribed").EnumerateArray()).GetString());

        var listed = await ToolInside.RunAsync("ls", Address, "test.Silent");
        foreach (var name in new[] { "test.Silent", "test.Silent/Ask" })
        {
            var described = await ToolInside.RunAsync("describe", Address, name);
            Assert.Equal(listed.ExitCode, described.ExitCode);
            Assert.Contains("'test.Silent' is served without a description.", Assert.Single(described.Errors), StringComparison.Ordinal);
        }

        var missing = await ToolInside.RunAsync("describe", Address, "test.Nothing");
        Assert.Contains("its services are test.Shelf, test.Silent.", Assert.Single(missing.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_of_descriptors_needs_no_server()
    {
        var file = Path.Combine(_folder, "shelf.pb");
        await File.WriteAllBytesAsync(file, ContractSet.Of<IShelf>().ToFileDescriptorSet(), TestContext.Current.CancellationToken);
        AssertPrinted(["test.Shelf"], await ToolInside.RunAsync("ls", "--descriptors", file));
        AssertPrinted([$"message {Book}Query {{", "  int32 number = 1;", "}"], await ToolInside.RunAsync("describe", $"{Book}Query", "--descriptors", file));
    }

    [Fact]
    public async Task A_proto_file_needs_no_server_and_finds_what_it_imports()
    {
        Directory.CreateDirectory(Path.Combine(_folder, "shop"));
        var file = Path.Combine(_folder, "shop", "orders.proto");
        await File.WriteAllTextAsync(Path.Combine(_folder, "shop", "order.proto"), "syntax = \"proto3\"; package shop; message Order { int32 id = 1; }", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(
            file,
            "syntax = \"proto3\"; package shop; import \"shop/order.proto\"; service Orders { rpc Find (Order) returns (stream Order); }",
            TestContext.Current.CancellationToken);
        AssertPrinted(["shop.Orders/Find"], await ToolInside.RunAsync("ls", "shop.Orders", "--proto", file, "--proto-path", _folder));
        AssertPrinted(
            ["service shop.Orders {", "  rpc Find (shop.Order) returns (stream shop.Order);", "}", "", "message shop.Order {", "  int32 id = 1;", "}"],
            await ToolInside.RunAsync("describe", "--proto", file, "--proto-path", _folder));

        // As in a build: the path of the import ends like that of the file, whatever folder it begins in.
        AssertPrinted(["shop.Orders/Find"], await ToolInside.RunAsync("ls", "shop.Orders", "--proto", file));
        var elsewhere = await ToolInside.RunAsync("ls", "--proto", file, "--proto-path", Path.Combine(_folder, "shop"));
        Assert.True(elsewhere.ExitCode == ExitCode.Faulty, elsewhere.ToString());
        Assert.Contains("orders.proto(1,", string.Join('\n', elsewhere.Errors), StringComparison.Ordinal);
        Assert.Contains("'shop/order.proto' was not found", string.Join('\n', elsewhere.Errors), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("../secret.proto")]
    [InlineData("inner/../../secret.proto")]
    [InlineData("FOLDER/secret.proto")]
    public async Task An_import_does_not_lead_out_of_the_folders(string import)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder, "inner")).FullName;
        var file = Path.Combine(folder, "a.proto");
        var name = import.Replace("FOLDER", _folder.Replace('\\', '/'), StringComparison.Ordinal);
        await File.WriteAllTextAsync(Path.Combine(_folder, "secret.proto"), "syntax = \"proto3\"; message Secret { }", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(file, $"syntax = \"proto3\"; import \"{name}\";", TestContext.Current.CancellationToken);
        foreach (var result in new[] { await ToolInside.RunAsync("describe", "--proto", file), await ToolInside.RunAsync("contract", "check", file, file) })
        {
            Assert.NotEqual(ExitCode.Success, result.ExitCode);
            Assert.DoesNotContain("Secret {", result.ToString(), StringComparison.Ordinal);
            Assert.Contains("The path is not valid", Assert.Single(result.Errors), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_assembly_needs_no_server()
    {
        var result = await ToolInside.RunAsync("ls", "--assembly", typeof(IShelf).Assembly.Location, "test.Shelf");
        AssertPrinted(["test.Shelf/Find", "test.Shelf/Watch", "test.Shelf/Drop"], result);
    }

    [Theory]
    [InlineData("--assembly", "nowhere.dll", "--assembly 'nowhere.dll': there is no such file.")]
    [InlineData("--proto", "nowhere.proto", "--proto 'nowhere.proto': there is no such file.")]
    [InlineData("--descriptors", "nowhere.pb", "--descriptors 'nowhere.pb': it cannot be read: ")]
    public async Task A_file_that_is_missing_is_named_with_its_option(string option, string file, string expected)
    {
        var result = await ToolInside.RunAsync("ls", option, file);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.StartsWith($"mux ls: {expected}", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_assembly_without_contracts_and_a_file_that_is_none_are_told_so()
    {
        var file = Path.Combine(_folder, "text.dll");
        await File.WriteAllTextAsync(file, "no assembly", TestContext.Current.CancellationToken);
        Assert.Contains("it cannot be loaded", Assert.Single((await ToolInside.RunAsync("ls", "--assembly", file)).Errors), StringComparison.Ordinal);
        Assert.Contains("it has no contracts", Assert.Single((await ToolInside.RunAsync("ls", "--assembly", typeof(FactAttribute).Assembly.Location)).Errors), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("mux ls: Expected the ADDRESS of a server, or --proto, --descriptors or --assembly.")]
    [InlineData("mux ls: With --proto, --descriptors or --assembly there is no ADDRESS: give at most one NAME.", "mux://127.0.0.1:1", "--assembly", "a.dll")]
    [InlineData("mux ls: --proto, --descriptors and --assembly exclude each other.", "--assembly", "a.dll", "--descriptors", "b.pb")]
    public async Task A_command_line_without_one_place_of_contracts_is_wrong(string expected, params string[] arguments)
    {
        var result = await ToolInside.RunAsync(["ls", .. arguments]);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Equal(expected, Assert.Single(result.Errors));
    }

    [Fact]
    public async Task Names_of_a_hostile_server_do_nothing_to_a_terminal()
    {
        _server.AddService<Mux.Tool.Contracts.IReflection>(new HostileReflection(["a\e[2Jb", "c\rd"], [])).Start();
        AssertPrinted(["a?[2Jb", "c?d"], await ToolInside.RunAsync("ls", Address));
    }

    [Theory]
    [InlineData(new byte[] { 0x0A, 0xFF })]
    [InlineData(new byte[] { 0x0A, 0x04, 0x0A, 0x02, 0x1B, 0x5B })] // a file with the name ESC [ and the syntax proto2, which it may have
    public async Task A_description_of_a_hostile_server_is_refused_or_empty(byte[] set)
    {
        _server.AddService<Mux.Tool.Contracts.IReflection>(new HostileReflection([], set)).Start();
        var result = await ToolInside.RunAsync("describe", Address);
        Assert.DoesNotContain(result.Output.Concat(result.Errors), static line => line.Any(char.IsControl));
        if (set.Length == 2) Assert.Contains("The description cannot be read", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    private static void AssertPrinted(string[] expected, ToolResult result)
    {
        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Equal(expected, result.Output);
        Assert.Empty(result.Errors);
    }
}
