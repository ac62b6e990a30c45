using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>Dials that get no answer: of a listener on Linux whose queue is full, which drops what comes.</summary>
public sealed class UnansweredDialTests : IDisposable
{
    private const string SynSent = "02";

    private readonly ManualTime _time = new();
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly List<Socket> _queued = [];
    private readonly MuxAddress _address;

    public UnansweredDialTests()
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(0);
        _address = MuxAddress.Parse($"mux://{_listener.LocalEndPoint}");
    }

    public void Dispose()
    {
        _queued.ForEach(socket => socket.Dispose());
        _listener.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_address_that_does_not_answer_is_dialed_anew_one_dial_at_a_time(bool isEpoll)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Looks at /proc/net/tcp.");
        await FillQueueAsync();
        var (sut, owned) = Create(isEpoll);
        using var _ = owned;
        var probe = new LinkProbe("dialer");
        probe.Start(sut.CreateLink(_address));
        var ports = new HashSet<string>();
        for (int dial = 1; dial <= 3; dial++)
        {
            await Eventually.Holds(() => DialsUnderWay() is [var port] && ports.Add(port), $"dial {dial}, and no other");
            _time.Advance(SocketDialer.AnswerTime);
        }

        await Eventually.Holds(() => DialsUnderWay() is [var port] && ports.Add(port), "the last dial");
        Empty();
        await probe.Connected.WaitAsync();
        probe.Link.Close();
        await probe.Closed.WaitAsync();
    }

    [Fact]
    public async Task Closing_a_link_that_nobody_answers_ends_its_dial()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Looks at /proc/net/tcp.");
        await FillQueueAsync();
        var (sut, owned) = Create(isEpoll: false);
        using var _ = owned;
        var probe = new LinkProbe("dialer");
        probe.Start(sut.CreateLink(_address));
        await Eventually.Holds(() => DialsUnderWay().Count == 1, "the dial");
        probe.Link.Close();
        await probe.Closed.WaitAsync();
        await Eventually.Holds(() => DialsUnderWay().Count == 0, "the end of the dial");
        Assert.Equal(0, _time.ArmedTimers);
    }

    private (ITransport Transport, IDisposable? Owned) Create(bool isEpoll)
    {
        if (!isEpoll) return (new SocketTransport(new SocketTransportOptions(), NullLogger.Instance, _time), null);
        var transport = new EpollTransport(new EpollTransportOptions(), NullLogger.Instance, _time);
        return (transport, transport);
    }

    private async Task FillQueueAsync()
    {
        while (_queued.Count == 0 || _queued[^1].Connected)
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            _queued.Add(socket);
            var connecting = socket.ConnectAsync(_listener.LocalEndPoint!);
            await Eventually.Holds(() => connecting.IsCompleted || DialsUnderWay().Count == 1, "the end of a dial, or one that nobody answers");
        }

        _queued[^1].Dispose();
        _queued.RemoveAt(_queued.Count - 1);
        await Eventually.Holds(() => DialsUnderWay().Count == 0, "a full queue and no dial");
    }

    private void Empty()
    {
        foreach (var _ in _queued) _listener.Accept().Dispose();
    }

    /// <summary>The ports of dials to the listener that have no answer.</summary>
    private List<string> DialsUnderWay()
    {
        var remote = $"0100007F:{_address.Port:X4}";
        return [.. File.ReadLines("/proc/net/tcp").Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)).Where(parts => parts[2] == remote && parts[3] == SynSent).Select(parts => parts[1])];
    }
}
