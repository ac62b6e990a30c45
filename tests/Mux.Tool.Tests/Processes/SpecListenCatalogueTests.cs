using System.Text.Json;

namespace Mux.Tool.Tests.Processes;

/// <summary>All cases of <c>mux spec --listen</c>, one after the other: the longest test without a load, so it runs at the same time as <see cref="ProcessesWithoutLoad"/>.</summary>
public sealed class SpecListenCatalogueTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-spec-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_client_of_Mux_passes_every_case_that_concerns_it()
    {
        var (json, html) = (Path.Combine(_folder, "spec.json"), Path.Combine(_folder, "spec.html"));
        var (tool, address) = await SpecListenTests.ListenAsync("--split", "whole", "--timeout", "30s", "--json", json, "--html", html);
        using (tool)
        {
            using var client = ToolProcess.Start("spec", "--client", address);

            var result = await tool.EndOfCatalogueAsync();

            Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
            using var file = JsonDocument.Parse(await File.ReadAllBytesAsync(json, TestContext.Current.CancellationToken));
            var root = file.RootElement;
            Assert.Equal(("client", 0), (root.GetProperty("role").GetString(), root.GetProperty("failed").GetInt32()));
            var passed = root.GetProperty("cases").EnumerateArray().Where(one => one.GetProperty("verdict").GetString() == "pass").ToArray();
            Assert.True(passed.Count(one => one.GetProperty("expected").GetString()!.EndsWith("closed", StringComparison.Ordinal)) >= 200, result.ToString()); // bad servers
            Assert.All((string[])["A_request_within_little_bulk_credit", "Items_within_little_credit", "A_request_and_a_reply_in_fragments", "A_drain_with_a_call_in_flight", "A_late_reply_to_a_call_that_expired"],
                name => Assert.Contains(passed, one => one.GetProperty("name").GetString() == name));
            Assert.All(root.GetProperty("cases").EnumerateArray().Where(one => one.GetProperty("verdict").GetString() == "skip"), one => Assert.Matches("^(needs|is longer)", one.GetProperty("got").GetString()));
            Assert.Contains("No case failed at the client", await File.ReadAllTextAsync(html, TestContext.Current.CancellationToken), StringComparison.Ordinal);
            var end = await client.EndAsync();
            Assert.True(end.ExitCode == ExitCode.Success, end.ToString());
            Assert.EndsWith($"rounds; {address} ended the test", Assert.Single(end.Output), StringComparison.Ordinal);
        }
    }
}
