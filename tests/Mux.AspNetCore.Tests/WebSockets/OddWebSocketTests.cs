using System.Net.WebSockets;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports.Streams;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.Tests.WebSockets;

/// <summary>Peers that speak Mux well and WebSockets oddly, or badly in the middle.</summary>
public sealed class OddWebSocketTests
{
    private const int TestLimit = 90_000;

    private readonly List<ClientWebSocket> _sockets = [];

    [Theory(Timeout = TestLimit)]
    [InlineData(7)]
    [InlineData(1_000)]
    public async Task Calls_and_streams_run_when_every_message_comes_in_fragments_and_ends_with_an_empty_one(int largest)
    {
        await using var application = await WebSocketTests.StartAsync();
        await Exchange.RunAsync(CreateClient(application, largest, endsMessages: true));
        Assert.Single(_sockets);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_message_that_does_not_end_is_served_up_to_its_limit_and_costs_its_peer_the_connection_alone()
    {
        await using var application = await WebSocketTests.StartAsync();
        var other = application.CreateClient(options => options.Address = WebSocketTests.Address(application));
        var client = CreateClient(application, 10_000, endsMessages: false);
        var question = new Question { Id = 1, Bytes = new byte[WebSocketByteStream.MaxMessageBytes / 4] };
        for (int i = 0; i < 3; i++) Assert.Equal(question.Bytes.Length, (await client.Ask(question, cancellationToken: TestContext.Current.CancellationToken)).Bytes!.Length);
        await other.Ask(new() { Id = 2 }, cancellationToken: TestContext.Current.CancellationToken);

        var error = await Assert.ThrowsAsync<MuxException>(() => client.Ask(question, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("the end of the connection"));
        Assert.Equal(MuxStatus.Unavailable, error.Status);
        Assert.Contains("A message may have at most 1048576 bytes.", Assert.Single(await application.Logs.ReachAsync("ServerConnectionClosed")).Text, StringComparison.Ordinal);
        await other.Ask(new() { Id = 3 }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(1, (await client.Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken)).Id); // it dials again
    }

    [Fact(Timeout = TestLimit)]
    public async Task Text_between_calls_costs_its_peer_the_connection_alone()
    {
        await using var application = await WebSocketTests.StartAsync();
        var other = application.CreateClient(options => options.Address = WebSocketTests.Address(application));
        var client = CreateClient(application, 10_000, endsMessages: true);
        await other.Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken);
        await client.Ask(new() { Id = 2 }, cancellationToken: TestContext.Current.CancellationToken);

        await Assert.Single(_sockets).SendAsync("{\"id\":3}"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, TestContext.Current.CancellationToken);

        Assert.Contains("Mux takes binary messages only.", Assert.Single(await application.Logs.ReachAsync("ServerConnectionClosed")).Text, StringComparison.Ordinal);
        await other.Ask(new() { Id = 4 }, cancellationToken: TestContext.Current.CancellationToken);
    }

    private IMixed CreateClient(Application application, int largest, bool endsMessages) => application.CreateClient(options =>
    {
        options.Address = WebSocketTests.Address(application);
        options.Transport = StreamTransport.Connecting(async (address, token) =>
        {
            var socket = new ClientWebSocket();
            _sockets.Add(socket);
            socket.Options.AddSubProtocol(WebSocketByteStream.SubProtocol);
            await socket.ConnectAsync(new Uri(address.ToString()["mux+".Length..]), token);
            return StreamConnection.Over(new WebSocketByteStream(new FragmentingWebSocket(socket, largest, endsMessages)));
        });
    });
}
