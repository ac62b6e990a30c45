using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Mux.TestSupport.Transports;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Processes;

/// <summary>Whether servers answer, and what is told of them.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class PingTests
{
    [Fact]
    public async Task A_server_of_any_service_answers()
    {
        await using var server = Start("orders");

        var result = await ToolInside.RunAsync("ping", server.Address.ToString(), "-n", "3", "-i", "1ms");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.StartsWith($"{server.Address}: connected in ", result.Output[0], StringComparison.Ordinal);
        Assert.Contains("; server 'orders', instance ", result.Output[0], StringComparison.Ordinal);
        Assert.StartsWith($"{server.Address}: ping 3 answered in ", result.Output[3], StringComparison.Ordinal);
        Assert.Equal(["endpoint", "sent", "lost", "connect", "handshake", "min", "median", "p99", "max"], Words(result.Output[4]));
        Assert.Equal([server.Address.ToString(), "3", "0%"], Words(result.Output[5])[..3]);
        Assert.Empty(result.Errors);
    }

    [Fact]
    public async Task Each_endpoint_of_a_list_is_pinged_by_itself_and_one_that_never_answers_decides_the_exit_code()
    {
        await using var server = Start("orders");
        using var closed = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0)); // does not listen
        int port = ((IPEndPoint)closed.LocalEndPoint!).Port;

        var result = await ToolInside.RunAsync("ping", $"mux://127.0.0.1:{server.Address.Port},127.0.0.1:{port}", "-n", "2", "-i", "1ms", "-q", "-o", "json");

        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        using var json = JsonDocument.Parse(string.Join('\n', result.Output));
        Assert.Equal("mux.ping/1", json.RootElement.GetProperty("schema").GetString());
        var (open, dead) = (json.RootElement.GetProperty("endpoints")[0], json.RootElement.GetProperty("endpoints")[1]);
        Assert.Equal(2, open.GetProperty("answered").GetInt32());
        Assert.Equal("orders", open.GetProperty("server").GetProperty("name").GetString());
        Assert.Equal(4096, open.GetProperty("server").GetProperty("max_calls").GetInt32());
        Assert.NotEqual(Guid.Empty, open.GetProperty("server").GetProperty("instance").GetGuid());
        Assert.InRange(open.GetProperty("round_trip_us").GetProperty("min").GetDouble(), 0.001, open.GetProperty("round_trip_us").GetProperty("max").GetDouble());
        Assert.True(open.GetProperty("connect_us").GetDouble() > 0 && open.GetProperty("handshake_us").GetDouble() > 0, result.ToString());
        Assert.Equal(2, dead.GetProperty("sent").GetInt32());
        Assert.Equal(0, dead.GetProperty("answered").GetInt32());
        Assert.Contains("connection refused", dead.GetProperty("last_failure").GetString(), StringComparison.Ordinal);
        Assert.Equal(JsonValueKind.Null, dead.GetProperty("round_trip_us").ValueKind);
    }

    [Fact]
    public async Task The_servers_of_a_name_are_found()
    {
        await using var server = Start("orders");

        var result = await ToolInside.RunAsync("ping", $"mux+dns://localhost:{server.Address.Port}", "-n", "1", "-q");

        Assert.Contains(result.Output, line => line.StartsWith($"mux://127.0.0.1:{server.Address.Port} ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_server_that_does_not_answer_is_lost_in_time()
    {
        using var silent = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        silent.Listen();

        var result = await ToolInside.RunAsync("ping", $"mux://{silent.LocalEndPoint}", "-n", "1", "--timeout", "20ms");

        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Equal($"mux://{silent.LocalEndPoint}: ping 1 lost: No connection to mux://{silent.LocalEndPoint} within 0.02 s, the --timeout.", result.Output[0]);
    }

    [Fact]
    public async Task A_reply_that_does_not_come_in_time_is_told_with_the_option_of_the_command()
    {
        await using var server = Start("orders");
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var relayed = RelayHandshakeAsync(listener, server.Address);

        var result = await ToolInside.RunAsync("ping", $"mux://{listener.LocalEndPoint}", "-n", "1", "--timeout", "1s");

        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Equal($"mux://{listener.LocalEndPoint}: ping 1 lost: No answer from mux://{listener.LocalEndPoint} within 1 s, the --timeout.", result.Output[1]);
        await relayed.Within("the end of the connection");
    }

    /// <summary>Passes on everything of the client, and of the server only its HELLO.</summary>
    private static async Task RelayHandshakeAsync(Socket listener, MuxAddress target)
    {
        using var client = await listener.AcceptAsync();
        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await server.ConnectAsync(target.Host, target.Port);
        var fromClient = CopyAsync();
        byte[] hello = new byte[1024];
        int length = await server.ReceiveAsync(hello);
        await client.SendAsync(hello.AsMemory(0, length));
        await fromClient;

        async Task CopyAsync()
        {
            byte[] buffer = new byte[1024];
            while (await client.ReceiveAsync(buffer) is > 0 and var count) await server.SendAsync(buffer.AsMemory(0, count));
        }
    }

    private static MuxServer Start(string name)
    {
        var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", PeerName = name });
        server.AddService<IEcho>(new EchoService()).Start();
        return server;
    }

    private static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
