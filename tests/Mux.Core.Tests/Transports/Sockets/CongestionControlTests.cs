using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

[Collection(nameof(TransportTests))]
public sealed partial class CongestionControlTests
{
    private const string Available = "/proc/sys/net/ipv4/tcp_available_congestion_control";
    private const string Default = "/proc/sys/net/ipv4/tcp_congestion_control";

    [Fact]
    public async Task It_applies_to_dialed_and_to_accepted_connections()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only.");
        var other = File.ReadAllText(Available).Split().FirstOrDefault(name => name.Length > 0 && name != File.ReadAllText(Default).Trim());
        Assert.SkipWhen(other is null, "This machine has one algorithm only.");

        var sut = new SocketTransport(new SocketTransportOptions { CongestionControl = other }, NullLogger.Instance, TimeProvider.System);
        int before = SocketsUsing(other!);
        await using var pair = await LinkPair.ConnectAsync(sut, MuxAddress.Parse("mux://127.0.0.1:0"));
        Assert.Equal(before + 3, SocketsUsing(other!)); // listener, dialed, accepted
    }

    [Fact]
    public async Task An_unknown_name_fails_dialing_and_listening_with_option_and_value()
    {
        var sut = new SocketTransport(new SocketTransportOptions { CongestionControl = "nonesuch" }, NullLogger.Instance, TimeProvider.System);
        var address = MuxAddress.Parse("mux://127.0.0.1:7070");
        const string What = "SocketTransportOptions.CongestionControl is 'nonesuch': ";
        var error = Assert.Throws<IOException>(() => sut.Listen(address, link => link.Close()));
        Assert.StartsWith($"Cannot listen at {address}: {What}", error.Message, StringComparison.Ordinal);

        var probe = new LinkProbe("dialer");
        probe.Start(sut.CreateLink(address));
        await probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.ConnectFailed, probe.Cause);
        Assert.StartsWith($"Cannot connect to {address}: {What}", probe.Error?.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Unix_domain_sockets_have_none_and_do_not_mind()
    {
        var sut = new SocketTransport(new SocketTransportOptions { CongestionControl = "nonesuch" }, NullLogger.Instance, TimeProvider.System);
        await using var pair = await LinkPair.ConnectAsync(sut, MuxAddress.Parse($"mux+unix://{Path.Combine(Path.GetTempPath(), Path.GetRandomFileName())}"));
        pair.Dialer.Send("x"u8);
        await pair.Acceptor.Consumed.ReachAsync(1);
    }

    [Theory]
    [InlineData("", null, null, "SocketTransportOptions.CongestionControl is '': expected 1 to 15 characters.")]
    [InlineData("sixteen-letters-", null, null, "SocketTransportOptions.CongestionControl is 'sixteen-letters-': expected 1 to 15 characters.")]
    [InlineData(null, 0, null, "SocketTransportOptions.SendBufferSize is 0: expected 1 or more bytes.")]
    [InlineData(null, null, -1, "SocketTransportOptions.ReceiveBufferSize is -1: expected 1 or more bytes.")]
    public void An_option_out_of_range_is_refused_by_name(string? congestion, int? send, int? receive, string message)
    {
        var options = new SocketTransportOptions { CongestionControl = congestion, SendBufferSize = send, ReceiveBufferSize = receive };
        Assert.Equal(message, Assert.Throws<ArgumentException>(() => new SocketTransport(options, NullLogger.Instance, TimeProvider.System)).Message);
    }

    private static int SocketsUsing(string name)
    {
        const int TcpLevel = 6;
        const int Congestion = 13;
        int count = 0;
        Span<byte> value = stackalloc byte[16];
        foreach (var file in Directory.GetFiles("/proc/self/fd"))
        {
            uint length = (uint)value.Length;
            if (!int.TryParse(Path.GetFileName(file), out int handle) || GetOption(handle, TcpLevel, Congestion, value, ref length) != 0) continue;
            if (Encoding.ASCII.GetString(value[..(int)length]).TrimEnd('\0') == name) count++;
        }

        return count;
    }

    [LibraryImport("libc", EntryPoint = "getsockopt")]
    private static partial int GetOption(int handle, int level, int option, Span<byte> value, ref uint length);
}
