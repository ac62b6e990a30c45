using System.Reflection;
using Google.Protobuf;
using Grpc.AspNetCore.Server;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using SideBySide.Load;
using SideBySide.Stacks.GrpcNet.Messages;

namespace SideBySide.Stacks.GrpcNet;

/// <summary>grpc-dotnet with the code of its own compiler: as its templates have it, or tuned by its documentation and its own benchmarks.</summary>
internal sealed class GrpcStack(bool isTuned) : Stack
{
    public override string Name => isTuned ? "grpc" : "grpc-stock";

    public override string Title => isTuned ? "grpc-dotnet, tuned" : "grpc-dotnet, stock";

    public override IReadOnlyList<Assembly> Assemblies => [typeof(GrpcChannel).Assembly, typeof(GrpcServiceOptions).Assembly, typeof(IMessage).Assembly];

    public override string Settings => isTuned
        ? "a channel per connection, more HTTP/2 connections beyond 100 streams; windows of 2 and 8 MiB; no proxy, redirects, cookies, trace headers; no routes for unknown methods, "
            + "no check of authorization; items sent in batches of 100"
        : "a channel per connection, more HTTP/2 connections beyond 100 streams";

    public override bool IsStock => !isTuned;

    public override Task<RunningServer> StartAsync() => WebServer.StartAsync(
        HttpProtocols.Http2,
        services =>
        {
            services.AddGrpc(options =>
            {
                if (isTuned) options.IgnoreUnknownServices = true;
            });
            if (isTuned) services.Configure<RouteOptions>(routes => routes.SuppressCheckForUnhandledSecurityMetadata = true);
            services.AddSingleton(new DirectoryService(isTuned));
        },
        static app => app.MapGrpcService<DirectoryService>(),
        isTuned ? GrpcChannels.SetWindows : null);

    public override async Task<IStackClient> ConnectAsync(int port, Shape shape) =>
        new Client(await Loopback.ConnectAsync(shape.Connections, () => Task.FromResult(GrpcChannels.Open(port, isTuned))));

    private sealed class Client(GrpcChannel[] channels) : IStackClient
    {
        private readonly Messages.Directory.DirectoryClient[] _directories = Array.ConvertAll(channels, channel => new Messages.Directory.DirectoryClient(channel));

        public Task SearchAsync(int connection, Caller caller)
        {
            var directory = _directories[connection];
            return caller.CallAsync(number => new ValueTask<Employee>(directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number }).ResponseAsync), DirectoryService.IsAnswerTo);
        }

        // The bytes neither change nor are copied while the call is open.
        public Task EchoAsync(int connection, Caller caller)
        {
            var directory = _directories[connection];
            return caller.EchoAsync(
                content => new ValueTask<Payload>(directory.EchoAsync(new Payload { Content = UnsafeByteOperations.UnsafeWrap(content) }).ResponseAsync), static reply => reply.Content.Memory);
        }

        public Task ReadAsync(int connection, Caller caller)
        {
            var directory = _directories[connection];
            return caller.ReadAsync(Open, DirectoryService.IsAnswerTo);

            IAsyncEnumerable<Employee> Open(long first, int count) => directory.Read(new ReadEmployees { First = first, Count = count }).ResponseStream.ReadAllAsync();
        }

        public ValueTask DisposeAsync()
        {
            foreach (var channel in channels) channel.Dispose();
            return default;
        }
    }
}
