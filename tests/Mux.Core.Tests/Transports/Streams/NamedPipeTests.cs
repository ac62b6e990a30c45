using System.IO.Pipes;
using System.Net.Sockets;
using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Streams;

namespace Mux.Core.Tests.Transports.Streams;

[Collection(nameof(TransportTests))]
public sealed class NamedPipeTests
{
    private readonly NamedPipeTransport _sut = new();
    private readonly MuxAddress _address = MuxAddress.Parse($"mux+pipe://mux-{Guid.NewGuid():N}");

    [Fact]
    public async Task A_pipe_that_does_not_exist_is_told_at_once() =>
        Assert.Equal($"Cannot connect to {_address}: no such pipe.", (await DialAsync()).Error!.Message);

    [Fact]
    public async Task A_pipe_whose_server_is_dead_is_told_at_once_and_taken_by_the_next_server()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There a pipe goes with its server.");
        using var dead = BindSocket();
        Assert.Equal($"Cannot connect to {_address}: the pipe no longer has a server.", (await DialAsync()).Error!.Message);
        await using var pair = await LinkPair.ConnectAsync(_sut, _address);
    }

    [Fact]
    public async Task A_pipe_whose_server_accepts_nobody_is_busy()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There a client waits for 5 s.");
        using var busy = BindSocket();
        busy.Listen(0);
        var waiting = new List<LinkProbe>();
        LinkProbe? refused = null;
        for (int i = 0; i < 10 && refused is null; i++)
        {
            var probe = new LinkProbe($"client {i}");
            probe.Start(_sut.CreateLink(_address));
            await Task.WhenAny(probe.Connected.WaitAsync(), probe.Closed.WaitAsync());
            if (probe.Closed.IsSet) refused = probe;
            else waiting.Add(probe);
        }

        Assert.Equal($"Cannot connect to {_address}: the pipe is busy: its server does not accept connections.", refused?.Error?.Message);
        foreach (var probe in waiting)
        {
            probe.Close();
            await probe.Closed.WaitAsync();
        }
    }

    [Fact]
    public async Task Only_the_user_of_the_server_may_connect()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There it is the pipe's access list.");
        await using var pair = await LinkPair.ConnectAsync(_sut, _address);
#pragma warning disable CA1416 // skipped on Windows
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(UnixPipe.PathOf(_address.Path)));
#pragma warning restore CA1416
    }

    [Fact]
    public async Task The_framework_s_own_client_reaches_the_server()
    {
        using var listener = _sut.Listen(_address, link => link.Start(new EchoHandler(link)));
        await AssertEchoesAsync();
    }

    [Fact]
    public async Task The_framework_s_own_server_is_accepted_at_again_and_again()
    {
        // What the transport uses on Windows; the framework has the same class everywhere.
        using var sut = new NamedPipeListener(_address);
        for (int i = 0; i < 3; i++)
        {
            var accepting = sut.AcceptAsync(TestContext.Current.CancellationToken).AsTask();
            var client = AssertEchoesAsync();
            var link = new StreamLink(await accepting.Within("the accept"));
            link.Start(new EchoHandler(link));
            await client;
        }
    }

    [Fact]
    public void Other_addresses_are_refused()
    {
        var error = Assert.Throws<NotSupportedException>(() => _sut.CreateLink(MuxAddress.Parse("mux://127.0.0.1:1")));
        Assert.Equal("mux://127.0.0.1:1: NamedPipeTransport speaks mux+pipe only.", error.Message);
    }

    private async Task<LinkProbe> DialAsync()
    {
        var probe = new LinkProbe("client");
        probe.Start(_sut.CreateLink(_address));
        await probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.ConnectFailed, probe.Cause);
        return probe;
    }

    private async Task AssertEchoesAsync()
    {
        await using var client = new NamedPipeClientStream(".", _address.Path, PipeDirection.InOut, PipeOptions.Asynchronous);
        await client.ConnectAsync(TestContext.Current.CancellationToken).Within("the pipe's server");
        await client.WriteAsync("ping"u8.ToArray(), TestContext.Current.CancellationToken);
        var bytes = new byte[4];
        await client.ReadExactlyAsync(bytes, TestContext.Current.CancellationToken).AsTask().Within("the echo");
        Assert.Equal("ping"u8.ToArray(), bytes);
    }

    /// <summary>A socket in the pipe's place that does not listen, as a dead server leaves one behind.</summary>
    private Socket BindSocket()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(UnixPipe.EndPointOf(_address.Path));
        return socket;
    }
}
