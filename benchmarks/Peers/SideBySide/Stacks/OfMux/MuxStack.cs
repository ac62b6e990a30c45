using System.Globalization;
using System.Reflection;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using SideBySide.Contracts;
using SideBySide.Load;

namespace SideBySide.Stacks.OfMux;

/// <summary>Mux with all its defaults, a channel per connection as in <c>mux bench</c>.</summary>
internal sealed class MuxStack : Stack
{
    public override string Name => "mux";

    public override string Title => "Mux";

    public override IReadOnlyList<Assembly> Assemblies => [typeof(MuxChannel).Assembly];

    public override string Settings => "defaults; a channel per connection";

    public override Task<RunningServer> StartAsync()
    {
        var server = new MuxServer(new MuxServerOptions { Address = AddressOf(0), Transport = Transport() });
        server.AddService<IDirectory>(new Directory());
        server.Start();
        return Task.FromResult(new RunningServer(server.Address.Port, server));
    }

    public override async Task<IStackClient> ConnectAsync(int port, Shape shape)
    {
        var transport = Transport();
        return new Client(await Loopback.ConnectAsync(shape.Connections, async () =>
        {
            var channel = MuxChannel.Create(new MuxChannelOptions { Address = AddressOf(port), MaxConnections = 1, Transport = transport });
            await channel.ConnectAsync(CancellationToken.None);
            return channel;
        }));
    }

    private static string AddressOf(int port) => string.Create(CultureInfo.InvariantCulture, $"mux://127.0.0.1:{port}");

    /// <summary>The engine that is the default, with the congestion control of all stacks.</summary>
    private static ITransport Transport() => EpollTransport.IsSupported
        ? new EpollTransport(new EpollTransportOptions { CongestionControl = Loopback.Congestion }, NullLogger.Instance, TimeProvider.System)
        : new SocketTransport(new SocketTransportOptions { CongestionControl = Loopback.Congestion }, NullLogger.Instance, TimeProvider.System);

    private sealed class Directory : IDirectory
    {
        public ValueTask<Employee> SearchAsync(SearchEmployee query) => new(Answers.AnswerTo(query.RequestTime));

        public ValueTask<byte[]> EchoAsync(byte[] content) => new(content);

        public IAsyncEnumerable<Employee> ReadAsync(long first, int count) => Answers.Stream(first, count);
    }

    private sealed class Client(MuxChannel[] channels) : IStackClient
    {
        private readonly IDirectory[] _directories = Array.ConvertAll(channels, channel => channel.CreateProxy<IDirectory>());

        public Task SearchAsync(int connection, Caller caller)
        {
            var directory = _directories[connection];
            return caller.CallAsync(number => directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number }), Answers.IsAnswerTo);
        }

        public Task EchoAsync(int connection, Caller caller) => caller.EchoAsync(_directories[connection].EchoAsync, static reply => reply);

        public Task ReadAsync(int connection, Caller caller) => caller.ReadAsync(_directories[connection].ReadAsync, Answers.IsAnswerTo);

        public async ValueTask DisposeAsync() => await Task.WhenAll(channels.Select(channel => channel.DisposeAsync().AsTask()));
    }
}
