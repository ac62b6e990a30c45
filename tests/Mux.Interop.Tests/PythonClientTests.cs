using System.Globalization;
using System.Security.Cryptography;
using Mux.Identity;

namespace Mux.Interop.Tests;

/// <summary>A client in Python, written from PROTOCOL.md alone, at a server with default options.</summary>
public sealed class PythonClientTests
{
    private const int Limit = 180_000;

    /// <summary>As client.py --list names them.</summary>
    public static TheoryData<string> Scenarios =>
    [
        "unary", "many_at_a_time", "generations_wrap", "deadlines", "a_deadline_that_the_server_counts", "metadata", "one_way", "stream_down", "stream_up", "stream_both_ways", "large_messages",
        "large_messages_beside_small_calls", "large_items", "fragments_of_one_byte", "cancel", "a_cancel_inside_a_request", "cancels_of_all_calls", "errors", "unknown_method",
        "an_unknown_method_in_fragments", "pings", "extensions_are_skipped", "budgets_are_announced", "drain", "a_server_is_checked", "broken_rules", "a_client_without_fragments",
    ];

    [Theory(Timeout = Limit), MemberData(nameof(Scenarios))]
    public async Task A_client_that_was_written_from_the_text_is_served(string scenario)
    {
        Assert.SkipWhen(PythonProgram.WhyNot is not null, PythonProgram.WhyNot ?? string.Empty);
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<ILab>(new Lab());
        server.Start();
        await using var client = PythonProgram.Start("client.py", Place(server), scenario);

        var (text, code) = await client.RunAsync();

        Assert.True(code == 0, text);
        Assert.Contains("1 passed, 0 failed", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Task was destroyed", text, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task All_scenarios_of_the_client_are_played()
    {
        Assert.SkipWhen(PythonProgram.WhyNot is not null, PythonProgram.WhyNot ?? string.Empty);
        await using var client = PythonProgram.Start("client.py", "--list");
        var (text, _) = await client.RunAsync();
        Assert.Equal(text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Order(StringComparer.Ordinal), Scenarios.Select(row => row.Data).Order(StringComparer.Ordinal));
    }

    [Fact(Timeout = Limit)]
    public async Task A_call_that_is_open_when_the_server_drains_ends_as_if_it_did_not()
    {
        Assert.SkipWhen(PythonProgram.WhyNot is not null, PythonProgram.WhyNot ?? string.Empty);
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<ILab>(new Lab());
        server.Start();
        await using var client = PythonProgram.Start("client.py", Place(server), "drained_by_the_server");
        Assert.Equal("open", await client.ReadLineAsync());

        await server.DisposeAsync();

        var (text, code) = await client.RunAsync();
        Assert.True(code == 0, text);
    }

    [Fact(Timeout = Limit)]
    public async Task A_client_with_a_shared_key_is_accepted_and_proves_and_is_proved()
    {
        Assert.SkipWhen(PythonProgram.WhyNot is not null, PythonProgram.WhyNot ?? string.Empty);
        var key = RandomNumberGenerator.GetBytes(32);
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Identity = new MuxIdentityOptions { SharedKeys = { new SharedKey("till-7", key) } } }).AddService<ILab>(new Lab());
        server.Start();
        await using var client = PythonProgram.StartClient($"till-7:{Convert.ToHexString(key)}", Place(server), "with_a_shared_key");

        var (text, code) = await client.RunAsync();

        Assert.True(code == 0, text);
    }

    private static string Place(MuxServer server) => string.Create(CultureInfo.InvariantCulture, $"{server.Address.Host}:{server.Address.Port}");
}
