using System.Net;
using System.Net.Sockets;
using System.Text.Json;

namespace Mux.Tool.Tests.Processes;

/// <summary><c>mux spec --listen</c>, which tries clients, and <c>mux spec --client</c>, which is one.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class SpecListenTests : IDisposable
{
    private const string Listening = "Listening at ";

    private readonly string _folder = Directory.CreateTempSubdirectory("mux-spec-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_client_that_takes_what_is_forbidden_fails_by_name_and_step()
    {
        var result = await TryCarelessAsync("The_length_word_80000000");

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.Matches("^FAIL  39  The_length_word_80000000 .*  6: sent 8 bytes: 0000008000000000, awaited GOAWAY ProtocolError  waited 2 s for GOAWAY ProtocolError$", SpecRows.Of(result)[0]);
        Assert.Contains(": 0 passed, 1 failed, 0 not for this client", result.Output[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_that_sends_items_without_credit_fails_by_name_and_step()
    {
        var result = await TryCarelessAsync("Items_within");

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.Contains(SpecRows.Of(result), row => row.StartsWith("pass  -  Items_within_the_credit ", StringComparison.Ordinal));
        Assert.Matches("^FAIL  -  Items_within_little_credit .*  [0-9]: .*awaited .*  an item that begins when no credit of its stream is left$", SpecRows.Of(result).Single(row => row.StartsWith("FAIL", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("A_call_that_failed_with_the_status_0", "the client reports 'ok 1'")]
    [InlineData("An_item_of_a_reply_beyond", "an item taken when no credit of its stream was left")]
    public async Task A_client_that_takes_what_it_must_refuse_fails(string filter, string expected)
    {
        var result = await TryCarelessAsync(filter);

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.EndsWith(expected, Assert.Single(SpecRows.Of(result)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_answer_of_a_client_to_PING_with_other_bytes_is_named()
    {
        var (tool, address) = await ListenAsync("--filter", "An_item_of_a_reply_beyond", "--split", "whole", "--timeout", "2s");
        using (tool)
        {
            await using var client = new CarelessClient(address, answersOtherPings: true);

            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
            Assert.Contains("an answer to PING with the bytes 0102030405060708 in place of 0100000000000000", SpecRows.Of(result)[0], StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_client_that_comes_back_and_leaves_at_once_is_told_so()
    {
        var (tool, address) = await ListenAsync("--filter", "An_answer_to_a_PING_that_was_not_sent", "--split", "whole", "--timeout", "2s");
        using (tool)
        {
            await using var client = new CarelessClient(address, rounds: 1); // to be asked what it has
            await client.Played;
            using (var leaving = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp))
                await leaving.ConnectAsync(IPEndPoint.Parse(address["mux://".Length..]), TestContext.Current.CancellationToken);

            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
            Assert.EndsWith("1: awaited a connection that lasts  a connection that the client ended itself before this side had answered, and no other one", SpecRows.Of(result)[0], StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_client_that_fails_at_its_first_calls_in_five_cases_is_asked_no_more()
    {
        var (tool, address) = await ListenAsync("--filter", "PING", "--split", "whole", "--timeout", "2s");
        using (tool)
        {
            await using var client = new CarelessClient(address, takesWrongSlots: true);

            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
            Assert.Equal(5, SpecRows.Of(result).Count(row => row.StartsWith("FAIL", StringComparison.Ordinal) && row.EndsWith("a REQUEST in slot 4, above the 3 of setting 3", StringComparison.Ordinal)));
            Assert.Matches("5 cases in a row failed at the first three calls of the client, the last one with: a REQUEST in slot 4, above the 3 of setting 3\\. [0-9]+ of [0-9]+ cases were played; fix these calls first", result.Errors[^1]);
        }
    }

    [Fact]
    public async Task A_careless_client_passes_what_it_minds()
    {
        var result = await TryCarelessAsync("An_answer_to_a_PING_that_was_not_sent");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.StartsWith("pass  94 ", SpecRows.Of(result)[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_client_of_Mux_with_a_token_stays_at_a_server_that_does_not_ask_if_it_is_told_to()
    {
        var token = Path.Combine(_folder, "token");
        await File.WriteAllTextAsync(token, "a token", TestContext.Current.CancellationToken);
        var (tool, address) = await ListenAsync("--filter", "An_answer_to_a_PING_that_was_not_sent", "--split", "whole", "--wait", "30s");
        using (tool)
        {
            using var client = ToolProcess.Start("spec", "--client", address, "--bearer", $"file:{token}", "--no-challenge");

            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
            var end = await client.EndAsync();
            Assert.True(end.ExitCode == ExitCode.Success, end.ToString());
        }
    }

    [Theory]
    [InlineData("32", 6)] // an acceptance without a proof, or with a wrong one
    [InlineData("shared_key", 1)]
    [InlineData("A_second_challenge", 1)]
    [InlineData("A_frame_that_is_never_finished", 1)]
    public async Task The_client_of_Mux_proves_its_shared_key_and_accepts_no_false_proof(string filter, int atLeast)
    {
        var key = await WriteKeyAsync("key", 1);
        var (tool, address) = await ListenAsync("--filter", filter, "--wait", "30s", "--shared-key", $"orders=file:{key}");
        using (tool)
        {
            using var client = ToolProcess.Start("spec", "--client", address, "--shared-key", $"orders=file:{key}");

            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
            Assert.True(SpecRows.Of(result).Count(row => row.StartsWith("pass", StringComparison.Ordinal)) >= atLeast, result.ToString());
            var end = await client.EndAsync();
            Assert.True(end.ExitCode == ExitCode.Success, end.ToString());
        }
    }

    [Fact]
    public async Task A_client_with_another_shared_key_is_told_apart()
    {
        var (key, another) = (await WriteKeyAsync("key", 1), await WriteKeyAsync("another", 2));
        var (tool, address) = await ListenAsync("--filter", "32", "--wait", "30s", "--shared-key", $"orders=file:{key}");
        using (tool)
        {
            using var client = ToolProcess.Start("spec", "--client", address, "--shared-key", $"orders=file:{another}", "--wait", "1s");

            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
            Assert.EndsWith("does not behave as a client must: a proof whose mac is wrong, or that is bound to another certificate.", result.Errors[^1], StringComparison.Ordinal);
            await client.EndAsync();
        }
    }

    [Fact]
    public async Task A_client_that_does_not_come_back_fails_the_case_that_it_passed()
    {
        var (tool, address) = await ListenAsync("--filter", "An_answer_to_a_PING_that_was_not_sent", "--split", "whole", "--timeout", "2s");
        using (tool)
        {
            await using var client = new CarelessClient(address, rounds: 2); // to be asked what it has, and for the case

            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
            Assert.Matches("^FAIL  94  .*  1: awaited the client's next connection  no answer, stays open; and then no new connection for 2 s$", SpecRows.Of(result)[0]);
        }
    }

    [Fact]
    public async Task Without_the_client_the_rest_is_not_played()
    {
        var (tool, address) = await ListenAsync("--filter", "PING", "--split", "whole", "--timeout", "1s", "--wait", "1s");
        using (tool)
        {
            await using var client = new CarelessClient(address, rounds: 1);

            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Interrupted, result.ToString());
            Assert.Matches("No client connected within 1 s after it was asked what it has: 0 of [0-9]+ cases were played", result.Errors[^1]);
        }
    }

    [Fact]
    public async Task No_client_comes_and_that_is_told_with_how_to_start_one()
    {
        var (tool, address) = await ListenAsync("--wait", "1s");
        using (tool)
        {
            var result = await tool.EndAsync();

            Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
            Assert.Equal($"mux spec: No client connected to '{address}' within 1 s. Start one with this address: 'mux spec --client {address}' is one, and what others have to do is in the README under 'Clients'.", result.Errors[^1]);
        }
    }

    [Fact]
    public async Task An_interruption_leaves_what_was_played_until_then()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        var json = Path.Combine(_folder, "spec.json");
        var (tool, address) = await ListenAsync("--timeout", "10m", "--filter", "GOAWAY", "--split", "whole", "--json", json);
        using (tool)
        {
            await using var client = new CarelessClient(address); // which leaves the first case without an end
            await client.Rounds.ReachAsync(2);

            tool.SendTerminate();

            var result = await tool.EndAsync();
            Assert.True(result.ExitCode == ExitCode.Interrupted, result.ToString());
            Assert.StartsWith("mux spec: Interrupted: ", result.Errors[^1], StringComparison.Ordinal);
            using var file = JsonDocument.Parse(await File.ReadAllBytesAsync(json, TestContext.Current.CancellationToken));
            Assert.StartsWith("Interrupted: ", file.RootElement.GetProperty("interruption").GetString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("spec", "Expected the ADDRESS of a server to test, --listen to test a client, or --client to be one.")]
    [InlineData("spec mux://127.0.0.1:1 --listen mux://127.0.0.1:0", "ADDRESS, --listen and --client exclude each other.")]
    [InlineData("spec --listen mux://127.0.0.1:0 --method a/b", "--method is for the ADDRESS of a server.")]
    [InlineData("spec --client mux://127.0.0.1:1 --stall 5s", "--stall is for --listen.")]
    [InlineData("spec mux://127.0.0.1:1 --wait 5s", "--wait is for --listen and --client.")]
    [InlineData("spec --listen muxs://127.0.0.1:0", "--listen: 'muxs://127.0.0.1:0' needs a --certificate.")]
    [InlineData("spec --listen mux://0.0.0.0:0", "other machines can reach 'mux://0.0.0.0:0' without encryption: add --allow-plaintext")]
    [InlineData("spec --listen mux://127.0.0.1:0 --cases no-such-case", "no case of a client has this number or name")]
    [InlineData("spec --listen mux+ws://127.0.0.1:80/mux", "WebSockets are served by ASP.NET Core.")]
    public async Task A_wrong_option_is_told_in_one_line(string arguments, string message)
    {
        var result = await ToolInside.RunAsync(arguments.Split(' '));

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(message, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }

    private async Task<string> WriteKeyAsync(string name, byte first)
    {
        var path = Path.Combine(_folder, name);
        await File.WriteAllTextAsync(path, Convert.ToBase64String([.. Enumerable.Range(first, 32).Select(at => (byte)at)]), TestContext.Current.CancellationToken);
        return path;
    }

    private static async Task<ToolResult> TryCarelessAsync(string filter)
    {
        var (tool, address) = await ListenAsync("--cases", filter, "--split", "whole", "--timeout", "2s");
        using (tool)
        {
            await using var client = new CarelessClient(address);
            return await tool.EndAsync();
        }
    }

    /// <summary>One that listens for clients.</summary>
    internal static async Task<(ToolProcess Tool, string Address)> ListenAsync(params string[] arguments)
    {
        var tool = ToolProcess.Start(["spec", "--listen", "mux://127.0.0.1:0", .. arguments]);
        var line = await tool.ReadLineAsync("the address");
        Assert.StartsWith(Listening, line, StringComparison.Ordinal);
        return (tool, line[Listening.Length..]);
    }
}
