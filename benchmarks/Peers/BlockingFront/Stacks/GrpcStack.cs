using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace BlockingFront.Stacks;

/// <summary>grpc-dotnet as its documentation has it: HTTP/2 without TLS, and more connections where one has no streams left.</summary>
internal sealed class GrpcStack : Stack
{
    private static readonly Marshaller<byte[]> s_bytes = new(static bytes => bytes, static bytes => bytes);
    private static readonly Method<byte[], byte[]> s_increment = new(MethodType.Unary, "numbers.Numbers", "Increment", s_bytes, s_bytes);

    public override string Name => "grpc";

    public override Task RunBackAsync(Func<int, Task> announce) => ServeAsync(new Back(), announce);

    public override async Task RunFrontAsync(int back, Func<int, Task> announce)
    {
        using var channel = Open(back);
        await ServeAsync(new Front(channel.CreateCallInvoker()), announce);
    }

    public override ICallers Connect(int front) => new Callers(Open(front));

    private static GrpcChannel Open(int port) => GrpcChannel.ForAddress(
        string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}"),
        new GrpcChannelOptions { HttpHandler = new SocketsHttpHandler { EnableMultipleHttp2Connections = true }, DisposeHttpClient = true });

    private static async Task ServeAsync(NumbersService service, Func<int, Task> announce)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.SetMinimumLevel(LogLevel.Error);
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, endpoint => endpoint.Protocols = HttpProtocols.Http2));
        builder.Services.AddGrpc();
        builder.Services.AddSingleton(service);
        await using var app = builder.Build();
        app.MapGrpcService<NumbersService>();
        await app.StartAsync();
        var addresses = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses;
        await announce(new Uri(addresses.First()).Port);
    }

    [BindServiceMethod(typeof(NumbersService), nameof(Bind))]
    internal abstract class NumbersService
    {
        public abstract Task<byte[]> Increment(byte[] request, ServerCallContext context);

        public static void Bind(ServiceBinderBase binder, NumbersService? service) =>
            binder.AddMethod(s_increment, service is null ? null : new UnaryServerMethod<byte[], byte[]>(service.Increment));
    }

    private sealed class Back : NumbersService
    {
        public override async Task<byte[]> Increment(byte[] request, ServerCallContext context)
        {
            await Task.Delay(BackTime);
            return BitConverter.GetBytes(BinaryPrimitives.ReadInt32LittleEndian(request) + 1);
        }
    }

    private sealed class Front(CallInvoker back) : NumbersService
    {
        public override Task<byte[]> Increment(byte[] request, ServerCallContext context) => Task.FromResult(back.AsyncUnaryCall(s_increment, null, default, request).ResponseAsync.Result);
    }

    private sealed class Callers(GrpcChannel channel) : ICallers
    {
        private readonly CallInvoker _invoker = channel.CreateCallInvoker();

        public async ValueTask<int> CallAsync(int number) => BinaryPrimitives.ReadInt32LittleEndian(await _invoker.AsyncUnaryCall(s_increment, null, default, BitConverter.GetBytes(number)));

        public ValueTask DisposeAsync()
        {
            channel.Dispose();
            return default;
        }
    }
}
