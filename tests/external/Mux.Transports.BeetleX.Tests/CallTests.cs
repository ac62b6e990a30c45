using System.Buffers.Binary;
using Mux.TestSupport.Transports;

namespace Mux.Transports.BeetleX.Tests;

/// <summary>Server, channel and calls over BeetleX.</summary>
[Collection(nameof(TransportTests))]
public sealed class CallTests
{
    [Fact]
    public async Task Callers_on_two_connections_all_get_their_own_replies_of_any_size()
    {
        const int Callers = 50;
        const int CallsEach = 400;
        var random = new Random(TestSeed.Next());
        var sizes = Enumerable.Range(0, CallsEach).Select(_ => random.Next(100) == 0 ? random.Next(4, 60_000) : random.Next(4, 200)).ToArray();
        var transport = new BeetleXTransport();
        var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Transport = transport });
        await using var serverEnd = server;
        server.AddService<IEcho>(new EchoService());
        server.Start();
        var channel = MuxChannel.Create(new MuxChannelOptions { Address = server.Address.ToString(), Transport = transport, Connections = 2 });
        await using var channelEnd = channel;
        var sut = channel.CreateProxy<IEcho>();
        await Task.WhenAll(Enumerable.Range(0, Callers).Select(caller => Task.Run(() => CallAsync(caller)))).Within("all replies");
        Assert.Equal(0, channel.GetStatistics().ProtocolErrors);

        async Task CallAsync(int caller)
        {
            for (int i = 0; i < CallsEach; i++)
            {
                var bytes = new byte[sizes[i]];
                BinaryPrimitives.WriteInt32LittleEndian(bytes, caller * CallsEach + i);
                var reply = await sut.EchoAsync(bytes);
                Assert.Equal(bytes, reply);
            }
        }
    }
}
