namespace Mux.Tool.Tests.Processes;

/// <summary>What is wrong with a command line is told in one line that names it and what is allowed.</summary>
[Collection(OneProcessAtATime.Name)]
public sealed class CommandLineTests
{
    [Theory]
    [InlineData("", "mux: Expected a command, serve or bench")]
    [InlineData("flood", "mux: Unrecognized command or argument 'flood'. 'mux --help'")]
    [InlineData("bench --flood", "mux bench: Unknown option '--flood'. 'mux bench --help'")]
    [InlineData("bench --conections 3", "mux bench: Unknown option '--conections'; did you mean '--connections'?")]
    [InlineData("bench mux://localhost:1 --inflight=3", "mux bench: Unknown option '--inflight'; did you mean '--in-flight'?")]
    [InlineData("serve --lisen mux://127.0.0.1:0", "mux serve: Unknown option '--lisen'; did you mean '--listen'?")]
    [InlineData("bench --workload flood", "mux bench: --workload 'flood': expected one of employee, echo, empty.")]
    [InlineData("bench --connections 0", "mux bench: --connections '0': expected a whole number from 1 to 1024.")]
    [InlineData("bench --in-flight many", "mux bench: --in-flight 'many': expected a whole number from 1 to 16384.")]
    [InlineData("bench --connections 1024 --in-flight 16384", "--connections times --in-flight is 16777216: expected up to 1000000.")]
    [InlineData("bench --size 10", "--size applies to --workload echo only.")]
    [InlineData("bench --workload echo --size 65001", "--size '65001': expected a whole number from 0 to 65000.")]
    [InlineData("bench --duration 10", "--duration '10': expected a number and ms, s, m or h, such as 500ms, 10s or 2m.")]
    [InlineData("bench --duration 0s", "--duration '0s': expected 100ms to 24h.")]
    [InlineData("bench --warmup 2h", "--warmup '2h': expected 0ms to 1h.")]
    [InlineData("bench --json no/such/folder/file.json", "--json 'no/such/folder/file.json': it cannot be written")]
    [InlineData("bench --json .", "--json '.': this is a folder")]
    [InlineData("bench --congestion flood", "mux bench: --congestion 'flood': ")]
    [InlineData("bench --engine flood", "mux bench: --engine 'flood': expected portable, NAME for Mux.Transports.NAME.dll in ")]
    [InlineData("serve --engine no/such/file.dll", "mux serve: --engine 'no/such/file.dll': expected portable, ")]
    [InlineData("bench localhost", "TARGET: 'localhost' is not an address: expected mux://host:port")]
    [InlineData("bench http://localhost:80", "TARGET: 'http://localhost:80' has the unknown scheme 'http': expected mux or mux+unix.")]
    [InlineData("bench mux://localhost:0", "TARGET: 'mux://localhost:0' has port 0: expected 1 to 65535.")]
    [InlineData("serve --listen localhost", "mux serve: --listen: 'localhost' is not an address: expected mux://host:port")]
    [InlineData("serve --listen mux://127.0.0.1:65536", "--listen: 'mux://127.0.0.1:65536' has the port '65536'")]
    [InlineData("serve --listen mux://192.0.2.1:7070", "--listen: Cannot listen at mux://192.0.2.1:7070")]
    [InlineData("serve --congestion flood", "mux serve: --congestion 'flood': ")]
    [InlineData("serve --fault flood", "--fault 'flood': expected one of none, swap, drop, double.")]
    public async Task A_wrong_command_line_is_told_in_one_line(string arguments, string message)
    {
        var result = await ToolProcess.RunAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(message, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }

    [Fact]
    public async Task The_hidden_option_stays_hidden()
    {
        var result = await ToolProcess.RunAsync("serve", "--help");

        Assert.Equal(ExitCode.Success, result.ExitCode);
        Assert.Contains(result.Output, line => line.Contains("--listen", StringComparison.Ordinal));
        Assert.DoesNotContain(result.Output, line => line.Contains("--fault", StringComparison.Ordinal));
    }
}
