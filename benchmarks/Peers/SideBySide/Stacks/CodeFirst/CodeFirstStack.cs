using System.Reflection;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using ProtoBuf;
using ProtoBuf.Grpc.Client;
using ProtoBuf.Grpc.Configuration;
using ProtoBuf.Grpc.Server;
using SideBySide.Contracts;
using SideBySide.Load;
using SideBySide.Stacks.GrpcNet;

namespace SideBySide.Stacks.CodeFirst;

/// <summary>protobuf-net.Grpc: contracts are interfaces, messages protobuf-net's, and what carries them is grpc-dotnet, tuned like that.</summary>
internal sealed class CodeFirstStack : Stack
{
    public override string Name => "protobuf-net-grpc";

    public override string Title => "protobuf-net.Grpc";

    public override IReadOnlyList<Assembly> Assemblies => [typeof(ServiceAttribute).Assembly, typeof(Serializer).Assembly, typeof(GrpcChannel).Assembly];

    public override string Settings => "as grpc-dotnet, tuned, but for the batches, which its streams do not have";

    public override Task<RunningServer> StartAsync() => WebServer.StartAsync(
        HttpProtocols.Http2,
        static services =>
        {
            services.AddCodeFirstGrpc(static options => options.IgnoreUnknownServices = true);
            services.Configure<RouteOptions>(static routes => routes.SuppressCheckForUnhandledSecurityMetadata = true);
            services.AddSingleton(new Directory());
        },
        static app => app.MapGrpcService<Directory>(),
        GrpcChannels.SetWindows);

    public override async Task<IStackClient> ConnectAsync(int port, Shape shape) =>
        new Client(await Loopback.ConnectAsync(shape.Connections, () => Task.FromResult(GrpcChannels.Open(port, isTuned: true))));

    internal sealed class Directory : ICodeFirstDirectory
    {
        public ValueTask<Employee> SearchAsync(SearchEmployee query) => new(Answers.AnswerTo(query.RequestTime));

        public ValueTask<Payload> EchoAsync(Payload payload) => new(payload);

        public IAsyncEnumerable<Employee> ReadAsync(ReadEmployees range) => Answers.Stream(range.First, range.Count);
    }

    private sealed class Client(GrpcChannel[] channels) : IStackClient
    {
        private readonly ICodeFirstDirectory[] _directories = Array.ConvertAll(channels, channel => channel.CreateGrpcService<ICodeFirstDirectory>());

        public Task SearchAsync(int connection, Caller caller)
        {
            var directory = _directories[connection];
            return caller.CallAsync(number => directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number }), Answers.IsAnswerTo);
        }

        public Task EchoAsync(int connection, Caller caller)
        {
            var directory = _directories[connection];
            return caller.EchoAsync(content => directory.EchoAsync(new Payload { Content = content }), static reply => reply.Content);
        }

        public Task ReadAsync(int connection, Caller caller)
        {
            var directory = _directories[connection];
            return caller.ReadAsync((first, count) => directory.ReadAsync(new ReadEmployees { First = first, Count = count }), Answers.IsAnswerTo);
        }

        public ValueTask DisposeAsync()
        {
            foreach (var channel in channels) channel.Dispose();
            return default;
        }
    }
}
