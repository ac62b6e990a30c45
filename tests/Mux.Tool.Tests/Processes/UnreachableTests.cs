using System.Net;
using System.Net.Sockets;
using System.Text;
using Mux.TestSupport.Transports;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Processes;

/// <summary>A target that cannot be used is told in one line, before any load.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class UnreachableTests
{
    [Fact]
    public async Task Nothing_listens()
    {
        using var bound = Bind();
        var address = AddressOf(bound);

        await AssertUnreachable(address, $"Cannot connect to {address}: connection refused.");
    }

    [Fact]
    public Task A_socket_file_is_not_there() =>
        AssertUnreachable("mux+unix:///no/such/folder/socket", "Cannot connect to mux+unix:///no/such/folder/socket: ");

    [Fact]
    public async Task The_target_speaks_another_protocol()
    {
        using var listener = Bind();
        listener.Listen();
        var answered = AnswerAsync(listener, "HTTP/1.1 400 Bad Request\r\n\r\n");

        var address = AddressOf(listener);
        await AssertUnreachable(address, $"'{address}' does not speak Mux: the peer answers with HTTP.");
        await answered.Within("the target to have answered");
    }

    [Fact]
    public async Task The_target_does_not_serve_the_workload()
    {
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IEcho>(new EchoService());
        server.Start();

        await AssertUnreachable(server.Address.ToString(), $"{server.Address} does not serve the workload 'employee'");
    }

    private static async Task AssertUnreachable(string address, string message)
    {
        var result = await ToolInside.RunAsync("bench", address);

        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Contains(message, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }

    private static async Task AnswerAsync(Socket listener, string answer)
    {
        using var socket = await listener.AcceptAsync();
        await socket.SendAsync(Encoding.ASCII.GetBytes(answer));
    }

    /// <summary>A socket with a port that nobody else gets; connecting to it is refused until it listens.</summary>
    private static Socket Bind()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    private static string AddressOf(Socket socket) => $"mux://{socket.LocalEndPoint}";
}
