using System.Globalization;
using System.Net.WebSockets;
using System.Reflection;
using MessagePack;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.Http.Connections.Client;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.Extensions.DependencyInjection;
using SideBySide.Contracts;
using SideBySide.Load;

namespace SideBySide.Stacks.Hubs;

/// <summary>SignalR over WebSockets without negotiation, with JSON or MessagePack.</summary>
internal sealed class HubStack(bool isMessagePack) : Stack
{
    private const string Path = "/directory";

    // Room for two echoes of 1 MiB, in base64 if they are JSON.
    private const int BufferSize = 4 << 20;

    public override string Name => isMessagePack ? "signalr-messagepack" : "signalr-json";

    public override string Title => isMessagePack ? "SignalR, MessagePack" : "SignalR, JSON";

    public override IReadOnlyList<Assembly> Assemblies => isMessagePack
        ? [typeof(HubConnection).Assembly, typeof(HubOptions).Assembly, typeof(MessagePackSerializer).Assembly]
        : [typeof(HubConnection).Assembly, typeof(HubOptions).Assembly];

    public override string Settings => string.Create(
        CultureInfo.InvariantCulture,
        $"WebSockets alone, negotiation skipped; a HubConnection per connection; MaximumParallelInvocationsPerClient {ParallelInvocations:N0}; buffers of 4 MiB{(isMessagePack ? "" : "; source-generated JSON")}");

    // The default of 1 calls the next method when the last one has returned.
    private static int ParallelInvocations => 100;

    public override Task<RunningServer> StartAsync() => WebServer.StartAsync(
        HttpProtocols.Http1,
        services =>
        {
            var signalR = services.AddSignalR(static hubs =>
            {
                hubs.MaximumParallelInvocationsPerClient = ParallelInvocations;
                hubs.MaximumReceiveMessageSize = BufferSize;
            });
            AddProtocol(signalR);
        },
        static app => app.MapHub<DirectoryHub>(Path, static options =>
        {
            options.Transports = HttpTransportType.WebSockets;
            options.TransportMaxBufferSize = options.ApplicationMaxBufferSize = BufferSize;
        }));

    public override async Task<IStackClient> ConnectAsync(int port, Shape shape) => new Client(await Loopback.ConnectAsync(shape.Connections, async () =>
    {
        var builder = new HubConnectionBuilder().WithUrl(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}{Path}"), static options =>
        {
            options.Transports = HttpTransportType.WebSockets;
            options.SkipNegotiation = true;
            options.TransportMaxBufferSize = options.ApplicationMaxBufferSize = BufferSize;
            options.WebSocketFactory = DialAsync;
        });
        AddProtocol(builder);
        var connection = builder.Build();
        await connection.StartAsync();
        return connection;
    }));

    private static async ValueTask<WebSocket> DialAsync(WebSocketConnectionContext context, CancellationToken cancellationToken)
    {
        var socket = new ClientWebSocket();
        using var invoker = new HttpMessageInvoker(Loopback.Handler(), disposeHandler: false); // an upgraded connection is the socket's
        await socket.ConnectAsync(context.Uri, invoker, cancellationToken);
        return socket;
    }

    private void AddProtocol<TBuilder>(TBuilder builder)
        where TBuilder : ISignalRBuilder
    {
        if (isMessagePack) builder.AddMessagePackProtocol();
        else builder.AddJsonProtocol(static json => json.PayloadSerializerOptions.TypeInfoResolverChain.Insert(0, DirectoryJson.Default));
    }

    private sealed class Client(HubConnection[] connections) : IStackClient
    {
        public Task SearchAsync(int connection, Caller caller)
        {
            var hub = connections[connection];
            return caller.CallAsync(number => new ValueTask<Employee>(hub.InvokeAsync<Employee>(nameof(DirectoryHub.Search), new SearchEmployee { Id = 1, RequestTime = number })), Answers.IsAnswerTo);
        }

        public Task EchoAsync(int connection, Caller caller)
        {
            var hub = connections[connection];
            return caller.EchoAsync(content => new ValueTask<byte[]>(hub.InvokeAsync<byte[]>(nameof(DirectoryHub.Echo), content)), static reply => reply);
        }

        public Task ReadAsync(int connection, Caller caller)
        {
            var hub = connections[connection];
            return caller.ReadAsync((first, count) => hub.StreamAsync<Employee>(nameof(DirectoryHub.Read), new ReadEmployees { First = first, Count = count }), Answers.IsAnswerTo);
        }

        public async ValueTask DisposeAsync()
        {
            foreach (var connection in connections) await connection.DisposeAsync();
        }
    }
}
