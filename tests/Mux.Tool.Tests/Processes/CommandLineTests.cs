namespace Mux.Tool.Tests.Processes;

/// <summary>What is wrong with a command line is told in one line that names it and what is allowed.</summary>
/// <remarks>Without processes, which would take most of the time, but for some rows.</remarks>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class CommandLineTests
{
    [Theory]
    [InlineData("bench --conections 3", "mux bench: Unknown option '--conections'; did you mean '--connections'?")]
    [InlineData("bench mux://localhost:1 --inflight=3", "mux bench: Unknown option '--inflight'; did you mean '--in-flight'?")]
    [InlineData("serve --lisen mux://127.0.0.1:0", "mux serve: Unknown option '--lisen'; did you mean '--listen'?")]
    [InlineData("bench --workload flood", "mux bench: --workload 'flood': expected one of employee, echo, empty, server-stream, client-stream, duplex, bulk, bulk-stream, mixed.")]
    [InlineData("capacity --slo p99<2ms --workload duplex", "mux capacity: --workload 'duplex': expected one of employee, echo, empty.")]
    [InlineData("sweep --workload server-stream", "mux sweep: --workload 'server-stream': expected one of employee, echo, empty.")]
    [InlineData("bench --connections 0", "mux bench: --connections '0': expected a whole number from 1 to 1024.")]
    [InlineData("bench --in-flight many", "mux bench: --in-flight 'many': expected a whole number from 1 to 16384.")]
    [InlineData("bench --connections 1024 --in-flight 16384", "--connections times --in-flight is 16777216: expected up to 1000000.")]
    [InlineData("bench --size 10", "--size does not apply to --workload employee: expected echo, bulk, bulk-stream and mixed.")]
    [InlineData("bench --workload duplex --size 10", "--size does not apply to --workload duplex: expected echo, bulk, bulk-stream and mixed.")]
    [InlineData("bench --workload echo --size many", "--size 'many': expected a whole number.")]
    [InlineData("bench --workload bulk --size 7", "--size '7': expected a whole number from 8 to 16777216.")]
    [InlineData("bench --workload bulk-stream --size 1048577", "--size '1048577': expected a whole number from 8 to 1048576.")]
    [InlineData("bench --workload mixed --size 16777217", "--size '16777217': expected a whole number from 1 to 16777216.")]
    [InlineData("bench --workload bulk --in-flight 61", "--in-flight times --size is 63963136: expected up to 62914560.")]
    [InlineData("bench --workload mixed --bulk-in-flight 16", "--bulk-in-flight times --size is 67108864: expected up to 62914560.")]
    [InlineData("bench --workload mixed --bulk-in-flight 0", "--bulk-in-flight '0': expected a whole number from 1 to 64.")]
    [InlineData("bench --workload bulk --bulk-in-flight 1", "--bulk-in-flight does not apply to --workload bulk: expected mixed.")]
    [InlineData("bench --workload mixed --bulk-on none", "--bulk-on 'none': expected one of same, other.")]
    [InlineData("bench --bulk-on other", "--bulk-on does not apply to --workload employee: expected mixed.")]
    [InlineData("bench --stream-items 5", "--stream-items does not apply to --workload employee: expected server-stream, client-stream, duplex and bulk-stream.")]
    [InlineData("bench --workload duplex --stream-items many", "--stream-items 'many': expected a whole number from 0 to 1000000000.")]
    [InlineData("bench --workload server-stream --window 5", "--window does not apply to --workload server-stream: expected duplex and bulk-stream.")]
    [InlineData("bench --workload duplex --window 0", "--window '0': expected a whole number from 1 to 65536.")]
    [InlineData("bench --workload client-stream --rate 1k", "--rate does not apply to --workload client-stream: streams are a closed loop")]
    [InlineData("bench --deadline 1us", "--deadline '1us': expected 1ms to 1h.")]
    [InlineData("bench --workload duplex --deadline 1s", "--deadline does not apply to --workload duplex: expected employee, echo, empty and bulk.")]
    [InlineData("bench --cancel 0%", "--cancel '0%': expected a share above 0% up to 90%, such as 5%.")]
    [InlineData("bench --cancel 91%", "--cancel '91%': expected a share above 0% up to 90%, such as 5%.")]
    [InlineData("bench --workload mixed --cancel 5%", "--cancel does not apply to --workload mixed: expected employee, echo, empty and bulk.")]
    [InlineData("bench --workload server-stream --handler-cost 50us", "--slow, --handler-cost or --workers does not apply to --workload server-stream: expected employee, echo, empty and bulk.")]
    [InlineData("bench --workload echo --size 65001", "--size '65001': expected a whole number from 0 to 65000.")]
    [InlineData("bench --duration 10", "--duration '10': expected a number and us, ms, s, m or h, such as 50us, 500ms or 10s.")]
    [InlineData("bench --duration 0s", "--duration '0s': expected 100ms to 24h.")]
    [InlineData("bench --warmup 2h", "--warmup '2h': expected 0ms to 1h.")]
    [InlineData("bench --json no/such/folder/file.json", "--json 'no/such/folder/file.json': it cannot be written")]
    [InlineData("bench --json .", "--json '.': this is a folder")]
    [InlineData("bench --congestion flood", "mux bench: --congestion 'flood': ")]
    [InlineData("bench localhost", "TARGET: 'localhost' is not an address: expected mux://host:port")]
    [InlineData("serve --listen mux://0.0.0.0:0", "--listen: other machines can reach 'mux://0.0.0.0:0' without encryption: add --allow-plaintext in a network that you trust.")]
    [InlineData("serve --fault swap --listen mux://192.0.2.1:0", "--listen: other machines can reach 'mux://192.0.2.1:0' without encryption: add --allow-plaintext in a network that you trust.")]
    [InlineData("bench http://localhost:80", "TARGET: 'http://localhost:80' has the unknown scheme 'http': expected mux, muxs, mux+unix, mux+pipe, mux+ws or mux+wss.")]
    [InlineData("bench mux://localhost:0", "TARGET: 'mux://localhost:0' has port 0: expected 1 to 65535.")]
    [InlineData("bench --rate 0", "mux bench: --rate '0': expected calls per second from 1 to 10m, such as 500, 20k or 1.5m.")]
    [InlineData("bench --rate=-5k", "--rate '-5k': expected calls per second from 1 to 10m")]
    [InlineData("bench --rate 11m", "--rate '11m': expected calls per second from 1 to 10m")]
    [InlineData("bench --rate 20g", "--rate '20g': expected calls per second from 1 to 10m")]
    [InlineData("bench --rate 1k --in-flight 3", "--in-flight applies to a closed loop only")]
    [InlineData("bench --rate 1k --time-every 3", "--time-every applies to a closed loop only")]
    [InlineData("bench --time-every 0", "--time-every '0': expected a whole number from 1 to 1000.")]
    [InlineData("bench --max-open 10", "--max-open applies to an open loop only: give a --rate.")]
    [InlineData("bench --max-lag 1ms", "--max-lag applies to an open loop only: give a --rate.")]
    [InlineData("bench --rate 1k --max-open 9", "--max-open 9: expected at least one for each of the 10 connections.")]
    [InlineData("bench --slow 1%", "--slow '1%': expected a share above 0% up to 100% and a time from 1us to 10s, such as 1%:5ms.")]
    [InlineData("bench --slow 0%:5ms", "--slow '0%:5ms': expected a share above 0% up to 100%")]
    [InlineData("bench --slow 1%:11s", "--slow '1%:11s': expected a share above 0% up to 100% and a time from 1us to 10s")]
    [InlineData("bench --slow 1%:5ms --workload empty", "--slow needs requests that carry a number, which those of --workload empty do not")]
    [InlineData("bench --slow 1%:5ms --workload echo --size 7", "--size 7 is too small for one, expected 8 to 65000.")]
    [InlineData("bench --handler-cost 2s", "--handler-cost '2s': expected a time from 1us to 1s, such as 50us.")]
    [InlineData("bench mux://localhost:1 --handler-cost 50us", "apply to the server that is started: give them to the 'mux serve' of TARGET.")]
    [InlineData("bench --repeat 0", "--repeat '0': expected a whole number from 1 to 100.")]
    [InlineData("bench --profile internet", "--profile 'internet': expected one of edge, internal.")]
    [InlineData("bench mux://localhost:1 --profile internal", "--profile applies to the server that is started: give it to the 'mux serve' of TARGET.")]
    [InlineData("bench muxs://localhost:1 --key a.key", "mux bench: --key needs a --certificate.")]
    [InlineData("bench --tls --certificate a.crt", "mux bench: --certificate is for a TARGET at a muxs address.")]
    [InlineData("spec mux://localhost:1 --certificate a.crt", "mux spec: --certificate is for a muxs address.")]
    [InlineData("bench muxs://localhost:1 --certificate no-such.crt", "no-such.crt")]
    [InlineData("bench --bearer file:token", "mux bench: --bearer is for a TARGET: the server that the command starts requires no authentication.")]
    [InlineData("bench mux://localhost:1 --bearer file:no/such/token", "mux bench: --bearer: the file 'no/such/token' cannot be read: ")]
    [InlineData("bench mux://localhost:1 --bearer env:MUX_NO_SUCH_VARIABLE", "mux bench: --bearer: the environment variable 'MUX_NO_SUCH_VARIABLE' is not set, or empty.")]
    [InlineData("bench mux://192.0.2.7:1 --bearer file:a", "mux bench: --bearer is not shown to mux://192.0.2.7:1 without TLS: use a muxs or mux+wss address, or give --allow-plaintext in a network that you trust.")]
    [InlineData("bench mux://192.0.2.7:1 --shared-key a=file:b", "mux bench: --shared-key is not shown to mux://192.0.2.7:1 without TLS: use a muxs or mux+wss address, or give --allow-plaintext")]
    [InlineData("bench mux://192.0.2.7:1 --allow-plaintext", "mux bench: --allow-plaintext needs a --shared-key or a --bearer.")]
    [InlineData("spec mux://localhost:1 --no-challenge", "mux spec: --no-challenge needs a --shared-key or a --bearer.")]
    [InlineData("bench mux://192.0.2.7:1 --bearer file:no/such/token --allow-plaintext", "mux bench: --bearer: the file 'no/such/token' cannot be read: ")]
    [InlineData("spec mux+ws://example.com:1/mux --bearer file:a", "mux spec: --bearer is not shown to mux+ws://example.com:1/mux without TLS: use a muxs or mux+wss address, or give --allow-plaintext in a network that you trust.")]
    [InlineData("spec mux://192.0.2.7:1 --shared-key a=file:b", "mux spec: --shared-key is not shown to mux://192.0.2.7:1 without TLS: use a muxs or mux+wss address, or give --allow-plaintext")]
    [InlineData("spec mux://192.0.2.7:1 --shared-key a=file:no/such/key --allow-plaintext", "mux spec: --shared-key: the file 'no/such/key' cannot be read: ")]
    [InlineData("spec --client mux://192.0.2.7:1 --bearer file:no/such/token --allow-plaintext", "mux spec: --bearer: the file 'no/such/token' cannot be read: ")]
    [InlineData("spec mux://localhost:1 --allow-plaintext", "mux spec: --allow-plaintext needs a --shared-key or a --bearer.")]
    [InlineData("spec --client mux://localhost:1 --allow-plaintext", "mux spec: --allow-plaintext needs a --shared-key or a --bearer.")]
    [InlineData("spec --listen mux://192.0.2.1:7070 --allow-plaintext", "mux spec: --listen: Cannot listen at mux://192.0.2.1:7070")]
    [InlineData("spec --listen mux://127.0.0.1:0 --bearer file:no/such/token", "mux spec: --bearer is for clients, not for --listen.")]
    [InlineData("spec --listen mux://127.0.0.1:0 --shared-key a=file:b --no-challenge", "mux spec: --no-challenge is for clients, not for --listen.")]
    [InlineData("spec --listen mux://127.0.0.1:0 --no-challenge", "mux spec: --no-challenge is for clients, not for --listen.")]
    [InlineData("bench mux://localhost:1 --bearer file:a --shared-key a=file:b", "mux bench: --shared-key and --bearer exclude each other")]
    [InlineData("capacity", "mux capacity: Option '--slo' is required.")]
    [InlineData("capacity --slo p99<2ms,max<3ms", "mux capacity: --slo 'p99<2ms,max<3ms': 'max' is not a metric: expected p50 to p99.99, or errors.")]
    [InlineData("capacity --slo p99<2", "mux capacity: --slo 'p99<2': 'p99<2': expected a time above 0 up to 1m, such as p99<2ms.")]
    [InlineData("capacity --slo p99<2ms --precision 0%", "--precision '0%': expected a share from 0.5% to 50%, such as 3%.")]
    [InlineData("sweep --connections 1,0", "mux sweep: --connections '1,0': expected whole numbers from 1 to 1024, separated by commas, such as 1,4,16.")]
    [InlineData("sweep --in-flight ,", "--in-flight ',': expected whole numbers from 1 to 16384")]
    [InlineData("sweep --size 64 --workload employee", "--size applies to --workload echo only.")]
    [InlineData("sweep --slow 1%:5ms --size 4", "--size 4 is too small for one, expected 8 to 65000.")]
    [InlineData("compare no-such.json no-such.json", "mux compare: 'no-such.json': it cannot be read")]
    [InlineData("compare a.json b.json --threshold 3", "--threshold '3': expected a share from 0% to 100%, such as 3%.")]
    [InlineData("compare a.json", "mux compare: Required argument missing for command: 'compare'.")]
    [InlineData("bench --html .", "--html '.': this is a folder")]
    [InlineData("serve --workers 65", "mux serve: --workers '65': expected a whole number from 0 to 64.")]
    [InlineData("serve --listen localhost", "mux serve: --listen: 'localhost' is not an address: expected mux://host:port")]
    [InlineData("serve --listen mux://127.0.0.1:65536", "--listen: 'mux://127.0.0.1:65536' has the port '65536'")]
    [InlineData("serve --listen mux://192.0.2.1:7070 --allow-plaintext", "--listen: Cannot listen at mux://192.0.2.1:7070")]
    [InlineData("serve --congestion flood", "mux serve: --congestion 'flood': ")]
    [InlineData("serve --fault flood", "--fault 'flood': expected one of none, swap, drop, double.")]
    public async Task A_wrong_command_line_is_told_in_one_line(string arguments, string message) => AssertTold(message, await ToolInside.RunAsync(Split(arguments)));

    /// <summary>With an engine, which is chosen once in a process.</summary>
    [Theory]
    [InlineData("", "mux: Expected a command, such as serve or bench")]
    [InlineData("flood", "mux: Unrecognized command or argument 'flood'. 'mux --help'")]
    [InlineData("bench --flood", "mux bench: Unknown option '--flood'. 'mux bench --help'")]
    [InlineData("bench --engine flood", "mux bench: --engine 'flood': expected epoll, portable, streams, NAME for Mux.Transports.NAME.dll in ")]
    [InlineData("serve --engine no/such/file.dll", "mux serve: --engine 'no/such/file.dll': expected epoll, portable, ")]
    [InlineData("serve --engine streams --listen mux://192.0.2.1:0", "--listen: other machines can reach 'mux://192.0.2.1:0' without encryption: add --allow-plaintext in a network that you trust.")]
    [InlineData("serve --engine portable --listen mux://192.0.2.1:0", "--listen: other machines can reach 'mux://192.0.2.1:0' without encryption: add --allow-plaintext in a network that you trust.")]
    public async Task A_process_tells_a_wrong_command_line_in_one_line(string arguments, string message) => AssertTold(message, await ToolProcess.RunAsync(Split(arguments)));

    [Theory]
    [InlineData("bench", "mux+pipe://name", "mux+wss://host:port/path")]
    [InlineData("capacity", "mux+pipe://name", "mux+wss://host:port/path")]
    [InlineData("sweep", "mux+pipe://name", "mux+wss://host:port/path")]
    [InlineData("spec", "mux+pipe://name", "mux+wss://host:port/path")]
    [InlineData("serve", "mux+unix:///path", "mux+pipe://name")]
    public async Task Help_names_every_kind_of_address_that_a_command_takes(string command, string first, string second)
    {
        var result = await ToolInside.RunAsync(command, "--help");

        var help = string.Join(' ', string.Join(' ', result.Output).Split(' ', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains(first, help, StringComparison.Ordinal);
        Assert.Contains(second, help, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("bench")]
    [InlineData("capacity")]
    [InlineData("sweep")]
    [InlineData("spec")]
    [InlineData("serve")]
    public async Task Help_names_every_option_of_a_command_once(string command)
    {
        var result = await ToolInside.RunAsync(command, "--help");

        var names = result.Output.Select(line => line.Trim()).Where(line => line.StartsWith("--", StringComparison.Ordinal)).Select(line => line.Split(' ', ',')[0]).ToArray();
        Assert.True(names.Length > 5, result.ToString());
        Assert.Equal(names.Distinct(), names);
    }

    [Fact]
    public async Task The_hidden_option_stays_hidden()
    {
        var result = await ToolProcess.RunAsync("serve", "--help");

        Assert.Equal(ExitCode.Success, result.ExitCode);
        Assert.Contains(result.Output, line => line.Contains("--listen", StringComparison.Ordinal));
        Assert.DoesNotContain(result.Output, line => line.Contains("--fault", StringComparison.Ordinal));
    }

    private static string[] Split(string arguments) => arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    private static void AssertTold(string message, ToolResult result)
    {
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(message, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }
}
