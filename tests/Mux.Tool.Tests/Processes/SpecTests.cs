using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using System.Xml.Linq;
using Mux.ProtocolCases.Serving;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;

namespace Mux.Tool.Tests.Processes;

[Collection(ProcessesWithoutLoad.Name)]
public sealed class SpecTests : IDisposable
{
    /// <summary>On which a server is asked what it has, before the first case.</summary>
    private const int AskingConnections = 1;

    /// <summary>Cases with <c>_of_the_largest</c> in their names that a careless server passes before the one that it never answers.</summary>
    private const int PassedBeforeHang = 1;

    /// <summary>Cases with <c>Metadata_above</c> in their names that it fails before the one that it never answers.</summary>
    private const int FailedBeforeHang = 2;

    private readonly string _folder = Directory.CreateTempSubdirectory("mux-spec-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_server_of_the_tool_passes_every_case_that_it_can_be_asked()
    {
        var (server, address) = await ToolProcess.ServeAsync();
        using (server)
        {
            var junit = Path.Combine(_folder, "spec.xml");

            var result = await ToolProcess.RunCatalogueAsync("spec", address, "--junit", junit);

            Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
            Assert.Empty(result.Errors);
            var rows = SpecRows.Of(result);
            Assert.All(rows, row => Assert.True(row.StartsWith("pass  ", StringComparison.Ordinal) || (row.StartsWith("skip  ", StringComparison.Ordinal) && row.Contains("needs a peer", StringComparison.Ordinal)), row));
            Assert.True(rows.Count(row => row.StartsWith("pass", StringComparison.Ordinal)) > rows.Length * 4 / 5, result.ToString());
            Assert.Contains(rows, row => row.Contains("A_body_of_random_bytes", StringComparison.Ordinal) && row.Contains("FAIL InvalidArgument, stays open", StringComparison.Ordinal));
            Assert.StartsWith($"{rows.Length} cases in ", result.Output[^1], StringComparison.Ordinal);
            var suite = XDocument.Load(junit).Root!;
            Assert.Equal((rows.Length, "0"), (suite.Elements("testcase").Count(), suite.Attribute("failures")!.Value));
            Assert.Equal(rows.Count(row => row.StartsWith("skip", StringComparison.Ordinal)), suite.Descendants("skipped").Count());
        }
    }

    [Fact]
    public async Task A_server_that_takes_what_is_forbidden_fails()
    {
        await using var server = new CarelessServer();
        var junit = Path.Combine(_folder, "spec.xml");

        var result = await ToolInside.RunAsync("spec", server.Address, "--filter", "45", "--split", "whole", "--timeout", "2s", "--junit", junit);

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        var rows = SpecRows.Of(result);
        Assert.All(rows, row => Assert.StartsWith("FAIL  45 ", row, StringComparison.Ordinal));
        Assert.All(rows, row => Assert.Matches("awaited GOAWAY ProtocolError +waited 2 s for GOAWAY ProtocolError$", row));
        Assert.Equal(rows.Length, XDocument.Load(junit).Descendants("failure").Count());
        Assert.NotEmpty(rows);
    }

    [Fact]
    public async Task A_server_that_answers_what_it_should_refuse_fails()
    {
        await using var server = new CarelessServer();

        var result = await ToolInside.RunAsync("spec", server.Address, "--filter", "A_request_that_expired", "--split", "whole");

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.Contains("FAIL DeadlineExceeded, stays open  ", SpecRows.Of(result)[0], StringComparison.Ordinal);
        Assert.EndsWith("awaited FAIL DeadlineExceeded, stays open  RESPONSE, stays open", SpecRows.Of(result)[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Large_requests_beyond", "awaited CREDIT for the requests that it took  waited 2 s for CREDIT for the requests that it took")]
    [InlineData("An_item_beyond_the", "awaited GOAWAY FlowControlError  waited 2 s for GOAWAY FlowControlError")]
    public async Task A_server_that_does_not_know_credit_fails(string filter, string expected)
    {
        await using var server = new CarelessServer();

        var result = await ToolInside.RunAsync("spec", server.Address, "--filter", filter, "--timeout", "2s");

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.Contains(expected, Assert.Single(SpecRows.Of(result)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_of_the_tool_returns_credit_and_takes_no_item_without_it()
    {
        var (server, address) = await ToolProcess.ServeAsync();
        using (server)
        {
            foreach (var filter in (string[])["Large_requests_beyond", "An_item_beyond_the"])
            {
                var result = await ToolInside.RunAsync("spec", address, "--filter", filter);

                Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
                Assert.StartsWith("pass", Assert.Single(SpecRows.Of(result)), StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public async Task An_answer_to_PING_with_other_bytes_is_named_at_once()
    {
        await using var server = new CarelessServer(answersOtherPings: true);

        var result = await ToolInside.RunAsync("spec", server.Address, "--filter", "An_answer_to_a_PING_that_was_not_sent", "--split", "whole", "--timeout", "10m");

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.Contains("an answer to PING with the bytes 0102030405060708 in place of 6d757873706563", SpecRows.Of(result)[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failed_case_names_its_step_in_the_table_and_in_every_file()
    {
        const string Step = "4: sent 8 bytes: 0000008000000000, awaited GOAWAY ProtocolError";
        await using var server = new CarelessServer();
        string junit = Path.Combine(_folder, "spec.xml"), json = Path.Combine(_folder, "spec.json"), html = Path.Combine(_folder, "spec.html");

        var result = await ToolInside.RunAsync("spec", server.Address, "--filter", "The_length_word_80000000", "--split", "whole", "--timeout", "2s", "--junit", junit, "--json", json, "--html", html);

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.Contains($"  {Step}  waited 2 s", SpecRows.Of(result)[0], StringComparison.Ordinal);
        using var file = JsonDocument.Parse(await File.ReadAllBytesAsync(json, TestContext.Current.CancellationToken));
        var root = file.RootElement;
        Assert.Equal(("mux.spec/1", "server", 1), (root.GetProperty("schema").GetString(), root.GetProperty("role").GetString(), root.GetProperty("failed").GetInt32()));
        var step = Assert.Single(root.GetProperty("cases").EnumerateArray()).GetProperty("step");
        Assert.Equal((4, "8 bytes: 0000008000000000", "GOAWAY ProtocolError"), (step.GetProperty("number").GetInt32(), step.GetProperty("sent").GetString(), step.GetProperty("awaited").GetString()));
        Assert.Contains(Step, await File.ReadAllTextAsync(html, TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Contains("failed at step 4: ", Assert.Single(XDocument.Load(junit).Descendants("failure")).Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_reads_no_fingerprints_is_not_asked_about_them()
    {
        await using var server = new CarelessServer(); // whose HELLO has no setting at all

        var result = await ToolInside.RunAsync("spec", server.Address, "--filter", "fingerprint", "--split", "whole");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        var rows = SpecRows.Of(result);
        Assert.True(rows.Length > 10, result.ToString());
        Assert.All(rows, row => Assert.True(row.StartsWith("skip  ", StringComparison.Ordinal) && row.EndsWith("needs a peer that reads fingerprints: setting 13 of its HELLO", StringComparison.Ordinal), row));
        Assert.EndsWith($": 0 passed, 0 failed, {rows.Length} not for this server", result.Output[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_with_room_for_two_definitions_is_asked_what_it_can_take()
    {
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", MaxMethodsPerConnection = 2 }).AddService<ISpec>(new SpecService());
        server.Start();

        var result = await ToolInside.RunAsync("spec", server.Address.ToString(), "--filter", "stream", "--split", "whole");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains(SpecRows.Of(result), row => row.StartsWith("skip", StringComparison.Ordinal) && row.EndsWith("needs a peer that takes 3 definitions, and not 2", StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_interruption_leaves_what_was_played_until_then()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        await using var server = new CarelessServer();
        var junit = Path.Combine(_folder, "spec.xml");
        using var tool = ToolProcess.Start("spec", server.Address, "--filter", "_of_the_largest", "--split", "whole", "--timeout", "10m", "--junit", junit);
        await server.Connections.ReachAsync(AskingConnections + 2 * PassedBeforeHang + 1);

        tool.SendTerminate();

        var result = await tool.EndAsync();
        Assert.True(result.ExitCode == ExitCode.Interrupted, result.ToString());
        var rows = SpecRows.Of(result);
        Assert.Equal(PassedBeforeHang, rows.Count(row => row.StartsWith("pass  ", StringComparison.Ordinal)));
        Assert.DoesNotContain(rows, row => row.StartsWith("FAIL", StringComparison.Ordinal));
        Assert.StartsWith($"{rows.Length} cases in ", result.Output[^1], StringComparison.Ordinal);
        Assert.StartsWith($"mux spec: Interrupted: {rows.Length} of ", Assert.Single(result.Errors), StringComparison.Ordinal);
        var suite = XDocument.Load(junit).Root!;
        Assert.Equal(rows.Length, suite.Elements("testcase").Count());
        Assert.StartsWith("Interrupted: ", suite.Element("system-err")!.Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_interruption_behind_a_failed_case_does_not_hide_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        await using var server = new CarelessServer();
        using var tool = ToolProcess.Start("spec", server.Address, "--filter", "Metadata_above", "--split", "whole", "--timeout", "10m");
        await server.Connections.ReachAsync(AskingConnections + 2 * FailedBeforeHang + 1);

        tool.SendTerminate();

        var result = await tool.EndAsync();
        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.StartsWith("FAIL", SpecRows.Of(result)[^1], StringComparison.Ordinal);
        Assert.StartsWith("mux spec: Interrupted: ", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_interruption_before_the_first_case_leaves_a_file_that_can_be_read()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var junit = Path.Combine(_folder, "spec.xml");
        using var tool = ToolProcess.Start("spec", $"mux://{listener.LocalEndPoint}", "--timeout", "10m", "--junit", junit);
        using var silent = await listener.AcceptAsync(TestContext.Current.CancellationToken).AsTask().Within("the connection of the tool");

        tool.SendTerminate();

        var result = await tool.EndAsync();
        Assert.True(result.ExitCode == ExitCode.Interrupted, result.ToString());
        Assert.StartsWith("mux spec: Interrupted: 0 of ", Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(XDocument.Load(junit).Root!.Elements("testcase"));
    }

    [Fact]
    public async Task Cases_that_need_a_method_are_skipped_where_it_is_not_known()
    {
        await using var server = new MuxServer("mux://127.0.0.1:0");
        server.Start();

        var result = await ToolProcess.RunCatalogueAsync("spec", server.Address.ToString(), "--method", "a.Service/Method", "--split", "half");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains(SpecRows.Of(result), row => row.StartsWith("skip", StringComparison.Ordinal) && row.EndsWith("needs the method a.Service/Method, which the peer does not know", StringComparison.Ordinal));
        Assert.Contains(SpecRows.Of(result), row => row.StartsWith("pass  46 ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_server_over_TLS_is_asked_with_its_authority()
    {
        await using var server = new MuxServer(new MuxServerOptions { Address = "muxs://localhost:0", Tls = TlsTransports.Server() }).AddService<ISpec>(new SpecService());
        server.Start();
        var authority = Path.Combine(_folder, "authority.pem");
        await File.WriteAllTextAsync(authority, TestAuthority.Shared.RootPem, TestContext.Current.CancellationToken);

        var result = await ToolInside.RunAsync("spec", server.Address.ToString(), "--roots", authority, "--filter", "A_PING");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains(" 0 failed, 0 not for this server", result.Output[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_plain_server_at_an_address_of_TLS_is_told_in_one_line()
    {
        await using var server = new MuxServer("mux://127.0.0.1:0");
        server.Start();

        await AssertUnreachable($"muxs://127.0.0.1:{server.Address.Port}", "A server without TLS is at an address that begins with mux://.");
    }

    [Fact]
    public async Task A_server_of_TLS_at_a_plain_address_is_told_in_one_line()
    {
        await using var server = new MuxServer(new MuxServerOptions { Address = "muxs://localhost:0", Tls = TlsTransports.Server() });
        server.Start();

        await AssertUnreachable($"mux://127.0.0.1:{server.Address.Port}", "does not speak Mux: ");
    }

    [Fact]
    public async Task Nothing_listens_and_that_is_told_in_one_line()
    {
        using var bound = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        bound.Bind(new IPEndPoint(IPAddress.Loopback, 0));

        await AssertUnreachable($"mux://{bound.LocalEndPoint}", $"Cannot connect to mux://{bound.LocalEndPoint}: connection refused.");
    }

    [Theory]
    [InlineData("--filter", "no-such-case", "no case of a server has this number or name")]
    [InlineData("--split", "thirds", "expected one of whole, half, bytes, all")]
    [InlineData("--method", "Echo", "expected the names of a service and a method")]
    [InlineData("--roots", "roots.pem", "--roots is for muxs addresses")]
    public async Task A_wrong_option_is_told_in_one_line(string option, string value, string message)
    {
        var result = await ToolInside.RunAsync("spec", "mux://127.0.0.1:1", option, value);

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(message, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }

    private static async Task AssertUnreachable(string address, string message)
    {
        var result = await ToolInside.RunAsync("spec", address);

        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Contains(message, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }
}
