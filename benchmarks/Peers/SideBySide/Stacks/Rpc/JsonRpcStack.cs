using System.Net;
using System.Reflection;
using Nerdbank.MessagePack;
using SideBySide.Contracts;
using SideBySide.Load;
using StreamJsonRpc;

namespace SideBySide.Stacks.Rpc;

/// <summary>StreamJsonRpc over TCP with the formatter and the handler that its documentation calls the fastest.</summary>
internal sealed class JsonRpcStack : Stack
{
    private const int StreamBatch = 100;

    public override string Name => "streamjsonrpc";

    public override string Title => "StreamJsonRpc";

    public override IReadOnlyList<Assembly> Assemblies => [typeof(JsonRpc).Assembly, typeof(MessagePackSerializer).Assembly];

    public override string Settings => "TCP; NerdbankMessagePackFormatter with generated shapes, LengthHeaderMessageHandler; generated proxies; dispatch without order; streams in batches of 100, 200 read ahead";

    public override Task<RunningServer> StartAsync()
    {
        var listener = RpcListener.Start(Serve);
        return Task.FromResult(new RunningServer(listener.Port, listener));
    }

    public override async Task<IStackClient> ConnectAsync(int port, Shape shape) => new Client(await Loopback.ConnectAsync(shape.Connections, async () =>
    {
        var rpc = new JsonRpc(HandlerOf(await Loopback.DialAsync(new IPEndPoint(IPAddress.Loopback, port), CancellationToken.None)));
        var directory = rpc.Attach<IRpcDirectory>();
        rpc.StartListening();
        return directory;
    }));

    private static void Serve(Stream stream)
    {
        var rpc = new JsonRpc(HandlerOf(stream)) { SynchronizationContext = null };
        rpc.AddLocalRpcTarget<IRpcDirectory>(new Directory(), null);
        rpc.StartListening();
    }

    private static LengthHeaderMessageHandler HandlerOf(Stream stream) =>
        new(stream, stream, new NerdbankMessagePackFormatter { TypeShapeProvider = RpcShapes.GeneratedTypeShapeProvider });

    private sealed class Directory : IRpcDirectory
    {
        public Task<Employee> SearchAsync(SearchEmployee query) => Task.FromResult(Answers.AnswerTo(query.RequestTime));

        public Task<byte[]> EchoAsync(byte[] content) => Task.FromResult(content);

        public IAsyncEnumerable<Employee> ReadAsync(long first, int count, CancellationToken cancellationToken) =>
            Answers.Stream(first, count).WithJsonRpcSettings(new JsonRpcEnumerableSettings { MinBatchSize = StreamBatch, MaxReadAhead = 2 * StreamBatch });
    }

    private sealed class Client(IRpcDirectory[] directories) : IStackClient
    {
        public Task SearchAsync(int connection, Caller caller)
        {
            var directory = directories[connection];
            return caller.CallAsync(number => new ValueTask<Employee>(directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number })), Answers.IsAnswerTo);
        }

        public Task EchoAsync(int connection, Caller caller)
        {
            var directory = directories[connection];
            return caller.EchoAsync(content => new ValueTask<byte[]>(directory.EchoAsync(content)), static reply => reply);
        }

        public Task ReadAsync(int connection, Caller caller)
        {
            var directory = directories[connection];
            return caller.ReadAsync((first, count) => directory.ReadAsync(first, count, CancellationToken.None), Answers.IsAnswerTo);
        }

        public ValueTask DisposeAsync()
        {
            foreach (var directory in directories) ((IDisposable)directory).Dispose();
            return default;
        }
    }
}
