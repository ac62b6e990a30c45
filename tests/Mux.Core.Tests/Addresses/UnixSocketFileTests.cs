using System.Net.Sockets;
using System.Runtime.Versioning;
using Mux.TestSupport.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Addresses;

/// <summary>The file at which a Unix domain socket listens.</summary>
public sealed class UnixSocketFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mux-");
    private readonly SocketTransport _sut = new();
    private readonly string _path;
    private readonly MuxAddress _address;

    public UnixSocketFileTests()
    {
        _path = Path.Combine(_folder.FullName, "s");
        _address = MuxAddress.Parse($"mux+unix://{_path}");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task What_a_dead_server_left_behind_is_replaced()
    {
        // A socket that was bound and never listens refuses like one whose process was killed; closing it properly would remove the file.
        using var dead = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        dead.Bind(new UnixDomainSocketEndPoint(_path));
        await using var pair = await LinkPair.ConnectAsync(_sut, _address);
        pair.Dialer.Send("x"u8);
        await pair.Acceptor.Consumed.ReachAsync(1);
    }

    [Fact]
    public async Task A_living_server_keeps_its_file()
    {
        await using var pair = await LinkPair.ConnectAsync(_sut, _address);
        var error = Assert.Throws<IOException>(() => _sut.Listen(_address, link => link.Close()));
        Assert.Equal($"Cannot listen at {_address}: the address is in use.", error.Message);
        var second = new LinkProbe("second dialer");
        second.Start(_sut.CreateLink(_address));
        await second.Connected.WaitAsync();
        second.Close();
        await second.Closed.WaitAsync();
    }

    [Fact]
    public void A_living_server_that_accepts_nothing_keeps_its_file()
    {
        using var stuck = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        stuck.Bind(new UnixDomainSocketEndPoint(_path));
        stuck.Listen(0);
        var waiting = new List<Socket>();
        try
        {
            for (int i = 0; i < 3; i++)
            {
                waiting.Add(new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false });
                if (Record.Exception(() => waiting[^1].Connect(new UnixDomainSocketEndPoint(_path))) is not null) break; // nobody more can wait
            }

            Assert.Equal($"Cannot listen at {_address}: the address is in use.", Assert.Throws<IOException>(() => _sut.Listen(_address, link => link.Close())).Message);
        }
        finally
        {
            foreach (var socket in waiting) socket.Dispose();
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("precious")]
    public void A_file_that_is_no_socket_is_left_alone(string content)
    {
        File.WriteAllText(_path, content);
        Assert.Throws<IOException>(() => _sut.Listen(_address, link => link.Close()));
        Assert.Equal(content, File.ReadAllText(_path));
    }

    [Fact]
    public void The_file_goes_with_its_listener()
    {
        var listener = _sut.Listen(_address, link => link.Close());
        Assert.True(File.Exists(_path));
        listener.Dispose();
        Assert.False(File.Exists(_path));
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public void The_file_s_permissions_are_those_of_any_new_file_of_the_process()
    {
        using var listener = _sut.Listen(_address, link => link.Close());
        var folder = Path.Combine(_folder.FullName, "folder");
        Directory.CreateDirectory(folder);
        Assert.Equal(File.GetUnixFileMode(folder), File.GetUnixFileMode(_path));
    }

    [Fact]
    public void A_folder_that_does_not_exist_is_named()
    {
        var address = MuxAddress.Parse("mux+unix:///nowhere/at.all");
        var error = Assert.Throws<IOException>(() => _sut.Listen(address, link => link.Close()));
        Assert.Equal($"Cannot listen at {address}: no such folder.", error.Message);
    }
}
