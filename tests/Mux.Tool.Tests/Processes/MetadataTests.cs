using System.Collections.Concurrent;
using System.Text.Json;

namespace Mux.Tool.Tests.Processes;

/// <summary>Metadata that a user gives is sent with every call.</summary>
[Collection(OneProcessAtATime.Name)]
public sealed class MetadataTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Theory]
    [InlineData]
    [InlineData("--rate", "500", "--max-lag", "10s")]
    public async Task Every_call_carries_it_and_the_result_names_it_without_its_values(params string[] load)
    {
        var service = new RecordingEcho();
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IRecordingEcho>(service);
        server.Start();

        var result = await ToolProcess.RunAsync(
            ["bench", server.Address.ToString(), "--workload", "echo", "-c", "2", "-n", "200", "--warmup", "50ms", "-H", "tenant: seven", "-H", "trace:a:b", "--quiet", "--json", _file, .. load]);

        Assert.True(result.ExitCode is ExitCode.Success or ExitCode.Invalid, result.ToString());
        Assert.True(service.Calls >= 200, $"{service.Calls} calls");
        Assert.Equal("tenant=seven trace=a:b", Assert.Single(service.Seen.Keys));
        var text = await File.ReadAllTextAsync(_file, TestContext.Current.CancellationToken);
        Assert.DoesNotContain("seven", text, StringComparison.Ordinal);
        using var document = JsonDocument.Parse(text);
        Assert.Equal(["tenant", "trace"], document.RootElement.GetProperty("configuration").GetProperty("metadata").EnumerateArray().Select(name => name.GetString()));
    }

    [Fact]
    public async Task A_secret_comes_from_a_file_and_is_not_on_the_command_line()
    {
        await File.WriteAllTextAsync(_file, "eyJ:secret\n", TestContext.Current.CancellationToken);
        var service = new RecordingEcho();
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IRecordingEcho>(service);
        server.Start();

        var result = await ToolProcess.RunAsync(
            ["bench", server.Address.ToString(), "--workload", "echo", "-c", "1", "-n", "10", "--warmup", "50ms", "-H", $"token: file:{_file}", "--quiet"]);

        Assert.True(result.ExitCode is ExitCode.Success or ExitCode.Invalid, result.ToString());
        Assert.Equal("token=eyJ:secret", Assert.Single(service.Seen.Keys));
    }

    [Fact]
    public async Task A_value_whose_name_was_forgotten_is_not_printed()
    {
        var result = await ToolProcess.RunAsync(["bench", "-H", "Bearer eyJsecret"]);

        Assert.Equal(ExitCode.Usage, result.ExitCode);
        Assert.DoesNotContain("eyJ", result.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-H", "token:", "eyJsecret")]
    [InlineData("--metadata", "Authorization:", "Bearer", "eyJsecret")]
    [InlineData("-H", "token:", "eyJsecret", "mux://127.0.0.1:1")]
    [InlineData("mux://127.0.0.1:1", "-Htoken:", "eyJsecret")]
    public async Task A_value_without_quotes_is_told_to_need_them_and_not_printed(params string[] arguments)
    {
        var result = await ToolInside.RunAsync(["bench", .. arguments]);

        Assert.Equal(ExitCode.Usage, result.ExitCode);
        Assert.Contains("expected quotes around name and value", Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.DoesNotContain("eyJ", result.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_without_a_value_in_front_of_an_address_is_not_blamed_for_other_mistakes()
    {
        var result = await ToolInside.RunAsync("bench", "-H", "token:", "mux://127.0.0.1:1", "-c", "0");

        Assert.Contains("--connections '0'", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    private sealed class RecordingEcho : IRecordingEcho
    {
        private int _calls;

        public ConcurrentDictionary<string, bool> Seen { get; } = new(StringComparer.Ordinal);

        public int Calls => Volatile.Read(ref _calls);

        public ValueTask<byte[]> EchoAsync(byte[] payload, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
        {
            Interlocked.Increment(ref _calls);
            Seen[string.Join(' ', options?.Metadata?.Select(entry => $"{entry.Key}={entry.Text}") ?? ["none"])] = true;
            return new(payload);
        }
    }
}

/// <summary>The service of the workload echo, whose handler also takes the options of the call.</summary>
[MuxService("mux.bench.Echo")]
internal interface IRecordingEcho
{
    ValueTask<byte[]> EchoAsync(byte[] payload, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
}
