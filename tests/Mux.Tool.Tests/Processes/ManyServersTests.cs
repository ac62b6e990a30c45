using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Processes;

/// <summary>A bench of several servers, and of connections that are replaced under load.</summary>
[Collection(OneProcessAtATime.Name)]
public sealed class ManyServersTests
{
    [Fact]
    public async Task The_share_of_each_endpoint_is_reported()
    {
        await using MuxServer first = Start(), second = Start();
        var target = $"mux://127.0.0.1:{first.Address.Port},127.0.0.1:{second.Address.Port}";

        var result = await ToolInside.RunAsync("bench", target, "-c", "2", "--in-flight", "4", "-z", "300ms", "--warmup", "100ms", "-o", "json");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        using var json = JsonDocument.Parse(string.Join('\n', result.Output));
        Assert.Equal(target, json.RootElement.GetProperty("configuration").GetProperty("target").GetString());
        var endpoints = json.RootElement.GetProperty("results").GetProperty("endpoints").EnumerateArray().ToArray();
        string[] addresses = [first.Address.ToString(), second.Address.ToString()];
        Assert.Equal(addresses.Order(StringComparer.Ordinal), endpoints.Select(endpoint => endpoint.GetProperty("address").GetString()));
        Assert.Equal(1, endpoints.Sum(endpoint => endpoint.GetProperty("share").GetDouble()), precision: 3);
        Assert.All(endpoints, endpoint =>
        {
            Assert.InRange(endpoint.GetProperty("share").GetDouble(), 0.05, 0.95); // both take part
            Assert.True(endpoint.GetProperty("latency_us").GetProperty("p99").GetDouble() > 0, result.ToString());
            Assert.Equal(0, endpoint.GetProperty("failed").GetInt64());
        });
        Assert.Contains(result.Errors, line => line.StartsWith("Endpoints ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_server_that_is_down_has_its_row_with_the_reason_and_the_exit_code_says_so()
    {
        await using var up = Start();
        using var silent = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0)); // and listens not: nobody else gets the port meanwhile
        int port = ((IPEndPoint)silent.LocalEndPoint!).Port;

        var result = await ToolInside.RunAsync(
            "bench", $"mux://127.0.0.1:{port},127.0.0.1:{up.Address.Port}", "-c", "2", "--in-flight", "4", "-z", "300ms", "--warmup", "100ms", "-o", "json");

        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        using var json = JsonDocument.Parse(string.Join('\n', result.Output));
        Assert.Equal(0, json.RootElement.GetProperty("ci").GetProperty("errors").GetInt64());
        var endpoints = json.RootElement.GetProperty("results").GetProperty("endpoints").EnumerateArray().ToDictionary(endpoint => endpoint.GetProperty("address").GetString()!);
        var down = endpoints[$"mux://127.0.0.1:{port}"];
        Assert.Equal((0, 0.0), (down.GetProperty("calls").GetInt64(), down.GetProperty("share").GetDouble()));
        var reason = down.GetProperty("not_reached").GetString()!;
        Assert.Contains("refused", reason, StringComparison.OrdinalIgnoreCase);
        Assert.Null(endpoints[up.Address.ToString()].GetProperty("not_reached").GetString());
        Assert.Equal(1.0, endpoints[up.Address.ToString()].GetProperty("share").GetDouble());
        Assert.Contains($"mux bench: mux://127.0.0.1:{port} was not reached, so the figures are without it: {reason}", result.Errors);
        Assert.Contains(result.Errors, line => line.StartsWith("  not reached: ", StringComparison.Ordinal));
        Assert.Contains("2 connections to each server x 4 in flight", result.Errors);
    }

    [Fact]
    public async Task Connections_are_replaced_under_load_and_no_call_fails()
    {
        await using var server = Start();

        var result = await WithChurn(server, connections: "2");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        using var json = JsonDocument.Parse(string.Join('\n', result.Output));
        var churn = json.RootElement.GetProperty("results").GetProperty("churn");
        Assert.InRange(churn.GetProperty("connects").GetInt64(), 1, MostConnects(json));
        Assert.Equal(churn.GetProperty("connects").GetInt64(), churn.GetProperty("latency_us").GetProperty("count").GetInt64());
        Assert.Equal(0, churn.GetProperty("errors").GetInt64());
        Assert.Equal(0, json.RootElement.GetProperty("ci").GetProperty("errors").GetInt64());
        Assert.Contains(result.Errors, line => line.StartsWith("churn: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Connections_that_cannot_be_opened_are_errors_and_the_load_goes_on()
    {
        // One for the load, and one for the questions about the server.
        await using var server = Start(maxConnections: 2);

        var result = await WithChurn(server, connections: "1");

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        using var json = JsonDocument.Parse(string.Join('\n', result.Output));
        var churn = json.RootElement.GetProperty("results").GetProperty("churn");
        Assert.Equal(0, churn.GetProperty("connects").GetInt64());
        Assert.InRange(churn.GetProperty("errors").GetInt64(), 1, MostConnects(json));
        Assert.True(json.RootElement.GetProperty("results").GetProperty("calls").GetInt64() > 0, result.ToString());
        Assert.Contains(result.Errors, line => line.StartsWith("mux bench: Connections that could not be opened in the place of others: ", StringComparison.Ordinal));
    }

    /// <summary>Benches for half a second. A loaded machine that came to no connect in it has shown nothing, and benches for longer.</summary>
    private static async Task<ToolResult> WithChurn(MuxServer server, string connections)
    {
        ToolResult result;
        string[] times = ["500ms", "3s", "10s"];
        int turn = 0;
        do
        {
            result = await ToolInside.RunAsync(
                "bench", server.Address.ToString(), "-c", connections, "--in-flight", "4", "-z", times[turn], "--warmup", "100ms", "--churn", "40", "-o", "json");
        }
        while (++turn < times.Length && !HasTried(result));

        return result;
    }

    private static bool HasTried(ToolResult result)
    {
        using var json = JsonDocument.Parse(string.Join('\n', result.Output));
        var churn = json.RootElement.GetProperty("results").GetProperty("churn");
        return churn.GetProperty("connects").GetInt64() + churn.GetProperty("errors").GetInt64() > 0;
    }

    /// <summary>The connects of 40 each second of the measurement, and of one second at least.</summary>
    private static long MostConnects(JsonDocument json) =>
        (long)(40 * Math.Max(1, json.RootElement.GetProperty("results").GetProperty("elapsed_s").GetDouble()));

    private static MuxServer Start(int? maxConnections = null)
    {
        var options = new MuxServerOptions { Address = "mux://127.0.0.1:0" };
        if (maxConnections is { } most) options.MaxConnections = most;
        var server = new MuxServer(options).AddService<IDirectory>(new DirectoryService());
        server.Start();
        return server;
    }
}
