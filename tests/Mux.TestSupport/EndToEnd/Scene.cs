using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Kestrel;
using Mux.TestSupport.Transports.Streams;
using Mux.TestSupport.Transports.Tls;
using Mux.TestSupport.Transports.WebSockets;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.InMemory;
using Mux.Transports.Sockets;

namespace Mux.TestSupport.EndToEnd;

/// <summary>The servers and channels of one test, with a clock, meters, logs and a transport of their own.</summary>
public sealed class Scene
{
    private readonly TransportKind _kind;
    private readonly ManualTime? _manualTime;
    private readonly CountedTime _realTime = new();
    private readonly List<MuxServer> _servers = [];
    private readonly List<MuxChannel> _channels = []; // locked while it grows: tests create channels from several threads
    private int _names;

    /// <param name="kind">What carries the bytes.</param>
    /// <param name="time">A clock the test moves itself, or null for the real one.</param>
    public Scene(TransportKind kind, ManualTime? time = null)
    {
        _kind = kind;
        _manualTime = time;
        InMemory = new InMemoryTransport();
        Transport = new CountedTransport(Make(kind));
    }

    /// <summary>What carries the bytes if <see cref="TransportKind.InMemory"/> was asked for.</summary>
    public InMemoryTransport InMemory { get; }

    /// <summary>What options have unless a test sets another one.</summary>
    public CountedTransport Transport { get; }

    /// <inheritdoc cref="Transport"/>
    public TimeProvider Time => _manualTime ?? (TimeProvider)_realTime;

    /// <inheritdoc cref="Transport"/>
    public MeterReadings Meters { get; } = new();

    public LogCollector Logs { get; } = new();

    /// <summary>All channels, in the order in which they were made.</summary>
    public IReadOnlyList<MuxChannel> Channels => _channels;

    /// <summary>Reasons for which connections of this test may end beside the orderly ones.</summary>
    internal HashSet<CloseReason> ExpectedEnds { get; } = [CloseReason.Drained, CloseReason.PeerDrained];

    /// <summary>Dials of channels that a test gave another transport.</summary>
    public long DialsElsewhere { get; set; }

    /// <summary>Connections that a server was given and did not accept itself.</summary>
    public long AcceptsElsewhere { get; set; }

    /// <summary>The names of events at level error or above that this test is about; any other one fails it.</summary>
    public HashSet<string> ExpectedErrors { get; } = [];

    /// <summary>An address that is free to listen at, with port 0 where there are ports.</summary>
    public MuxAddress FreeAddress() => _kind switch
    {
        TransportKind.InMemory => MuxAddress.Parse("mux://memory:0"),
        TransportKind.Tcp or TransportKind.Epoll or TransportKind.Streams or TransportKind.Kestrel => MuxAddress.Parse("mux://127.0.0.1:0"),
        TransportKind.Tls => TlsTransports.FreeAddress,
        TransportKind.WebSocket => MuxAddress.Parse("mux+ws://127.0.0.1:0/mux"),
        _ => MuxAddress.Parse($"mux+unix://{Path.GetTempPath()}mux-{Guid.NewGuid():N}.sock"),
    };

    /// <summary>An address at which there was a listener and is none any more.</summary>
    public MuxAddress NobodysAddress()
    {
        var listener = Transport.Listen(FreeAddress(), link => link.Close());
        listener.Dispose();
        return listener.Address;
    }

    /// <summary>A server that listens at a free address.</summary>
    public MuxServer StartServer(Action<MuxServer> addServices, Action<MuxServerOptions>? configure = null)
    {
        var options = new MuxServerOptions { Address = FreeAddress().ToString() };
        Prepare(options);
        configure?.Invoke(options);
        var server = new MuxServer(options, Logs);
        addServices(server);
        server.Start();
        _servers.Add(server);
        return server;
    }

    /// <inheritdoc cref="CreateChannel(MuxAddress, Action{MuxChannelOptions}?)"/>
    public MuxChannel CreateChannel(MuxServer server, Action<MuxChannelOptions>? configure = null) => CreateChannel(server.Address, configure);

    /// <summary>A channel with a name of its own.</summary>
    /// <remarks>It keeps the number of connections that it begins with, unless the test chooses one: a slow machine is contention, and would add some.</remarks>
    public MuxChannel CreateChannel(MuxAddress address, Action<MuxChannelOptions>? configure = null)
    {
        var options = new MuxChannelOptions { Address = address.ToString(), Name = $"client {Interlocked.Increment(ref _names)}" };
        Prepare(options);
        options.AllowPlaintext = _kind == TransportKind.InMemory; // Mux does not know that what this scene wraps stays in memory
        configure?.Invoke(options);
        if (options.Lifetime == MuxConnectionLifetime.Shared) options.MaxConnections ??= options.MinConnections;
        var channel = MuxChannel.Create(options, Logs);
        lock (_channels) _channels.Add(channel);
        return channel;
    }

    /// <summary>
    /// Waits until every call has its outcome at both ends, compares what statistics and meters say of them, disposes everything, and looks whether anything is left.
    /// </summary>
    public async Task EndAsync()
    {
        await Eventually.Holds(() => Ledgers().All(IsQuiet), () => $"all calls ended at both ends. {Describe()}");
        AssertMetersAgree();
        await Eventually.Holds(() => QueuedBytes() == 0, () => $"no byte to be queued, of {QueuedBytes()}"); // credit may still answer what arrives late
        foreach (var channel in _channels) await channel.DisposeAsync().AsTask().Within($"disposal of {channel.Name}");
        foreach (var server in _servers) await server.DisposeAsync().AsTask().Within($"disposal of the server at {server.Address}");
        await Eventually.Holds(() => Ledgers().All(ledger => ledger.Connections.Length == 0), () => $"the release of all connections. {Describe()}");
        await Eventually.Holds(() => Timers == 0, () => $"the disposal of {Timers} timers");
        Assert.Equal(0, Ticker.For(new Clock(Time)).Count);
        AssertEndsAreCounted();
        Assert.DoesNotContain(Logs.Entries, entry => entry.Level >= LogLevel.Error && !ExpectedErrors.Contains(entry.Name ?? string.Empty));
        Meters.Dispose();
    }

    private ITransport Make(TransportKind kind) => kind switch
    {
        TransportKind.InMemory => InMemory,
        TransportKind.Streams => new NetworkStreamTransport(),
        TransportKind.WebSocket => new UpgradingTransport(),
        TransportKind.Kestrel => new KestrelTransport(),
        TransportKind.Tls => TlsTransports.Create(logger: Logs.CreateLogger("Mux.Transport")),
        TransportKind.Epoll => new EpollTransport(new EpollTransportOptions(), Logs.CreateLogger("Mux.Transport"), TimeProvider.System),
        _ => new SocketTransport(new SocketTransportOptions(), Logs.CreateLogger("Mux.Transport"), TimeProvider.System),
    };

    private int Timers => _manualTime?.ArmedTimers ?? _realTime.Timers;

    private static bool IsQuiet(ConnectionLedger ledger)
    {
        var totals = ledger.Sum();
        return totals.CallsStarted == totals.Calls.Total && totals.RequestsStarted == totals.Requests.Total && ledger.Connections.All(IsQuiet);
    }

    private static bool IsQuiet(Connection connection) =>
        connection.Initiator is { OpenCount: 0, WaitingCount: 0 } && connection.RequestCounts.OpenCount == 0 && (connection.State > ConnectionState.Open || connection.Outbound.Unsent == 0);

    private void Prepare(MuxOptions options)
    {
        options.Transport = Transport;
        options.TimeProvider = Time;
        options.MeterFactory = Meters;
    }

    private IEnumerable<ConnectionLedger> Ledgers() => _servers.Select(server => server.Ledger!).Concat(_channels.Select(channel => channel.Ledger));

    private string Describe()
    {
        var sides = _servers.Select(server => $"{server.Address}: {server.GetStatistics()}").Concat(_channels.Select(channel => $"{channel.Name}: {channel.GetStatistics()}"));
        return string.Join("\n", sides.Concat(Logs.Entries.TakeLast(20).Select(entry => entry.Text)));
    }

    /// <summary>What is disposed shows on no meter any more.</summary>
    private void AssertMetersAgree()
    {
        var readings = Meters.Read();
        foreach (var channel in _channels) AssertAgrees(Of(reading => reading.Tag("mux.client.name") == channel.Name), "client", channel.GetStatistics());
        // Of servers that followed each other at one address, the last one's.
        var last = _servers.Where((server, index) => !_servers.Skip(index + 1).Any(later => later.Address == server.Address));
        foreach (var server in last) AssertAgrees(Of(reading => reading.IsAt(server.Address) && reading.Tag("mux.client.name") is null), "server", server.GetStatistics());

        ILookup<string, MeterReading> Of(Func<MeterReading, bool> condition) => readings.Where(condition).ToLookup(reading => reading.Instrument);
    }

    private long QueuedBytes() => Meters.Read().Where(reading => reading.Instrument == "mux.transport.queued_bytes").Sum(reading => reading.Value);

    private static void AssertAgrees(ILookup<string, MeterReading> readings, string role, MuxStatistics statistics)
    {
        if (readings.Count == 0) return;
        Assert.Equal(statistics.CallsStarted, statistics.CallsCompleted);
        Assert.Equal(statistics.CallsCompleted, Sum($"mux.{role}.calls"));
        Assert.Equal(0, Sum($"mux.{role}.active_calls"));
        Assert.Equal(0, Sum("mux.client.waiting_calls"));

        long Sum(string instrument) => readings[instrument].Sum(reading => reading.Value);
    }

    /// <summary>Every connection has exactly one reason to end, and it is in the log.</summary>
    private void AssertEndsAreCounted()
    {
        long channelEnds = _channels.Sum(channel => CountEnds(channel.Ledger));
        long serverEnds = _servers.Sum(server => CountEnds(server.Ledger!));
        Assert.Equal(Transport.Dialed.Count + DialsElsewhere, channelEnds);
        Assert.InRange(serverEnds, 0, Transport.Accepted.Count + AcceptsElsewhere); // a link that is accepted while the server stops is no connection
        Assert.Equal(channelEnds, Logs.Of("ClientConnectionClosed").Count + Logs.Of("ClientConnectFailed").Count);
        Assert.Equal(serverEnds, Logs.Of("ServerConnectionClosed").Count);
    }

    private long CountEnds(ConnectionLedger ledger)
    {
        var totals = ledger.Sum();
        var ends = Enum.GetValues<CloseReason>().Where(reason => totals.EndsOf(reason) > 0).ToList();
        Assert.Subset(ExpectedEnds, ends.ToHashSet());
        return ends.Sum(totals.EndsOf);
    }
}
