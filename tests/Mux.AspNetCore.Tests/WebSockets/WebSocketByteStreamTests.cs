using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Mux.TestSupport.Transports;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.Tests.WebSockets;

/// <summary>The stream of bytes that binary messages carry.</summary>
public sealed class WebSocketByteStreamTests
{
    private const int TestLimit = 90_000;

    [Fact(Timeout = TestLimit)]
    public async Task A_message_without_an_end_closes_the_WebSocket_with_a_reason()
    {
        var (total, error) = (0L, new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously));
        await using var application = await StartAsync(async stream =>
        {
            var buffer = new byte[65_536];
            error.SetResult(await Assert.ThrowsAsync<InvalidDataException>(async () =>
            {
                while (true) total += await stream.ReadAsync(buffer, TestContext.Current.CancellationToken);
            }));
        });
        using var socket = await DialAsync(application);
        var part = new byte[65_536];
        for (int sent = 0; sent <= WebSocketByteStream.MaxMessageBytes; sent += part.Length) await socket.SendAsync(part, WebSocketMessageType.Binary, endOfMessage: false, TestContext.Current.CancellationToken);
        Assert.Equal(WebSocketMessageType.Close, (await socket.ReceiveAsync(part, TestContext.Current.CancellationToken).Within("the close")).MessageType);
        Assert.Equal((WebSocketCloseStatus.MessageTooBig, "A message may have at most 1048576 bytes."), (socket.CloseStatus, socket.CloseStatusDescription));
        await error.Task.Within("the error of the reader");
        Assert.InRange(total, 1, WebSocketByteStream.MaxMessageBytes);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Borders_of_messages_and_empty_messages_mean_nothing()
    {
        var received = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var application = await StartAsync(async stream =>
        {
            using var bytes = new MemoryStream();
            await stream.CopyToAsync(bytes);
            received.SetResult(bytes.ToArray());
        });
        using var socket = await DialAsync(application);
        await SendAsync([1], true);
        await SendAsync([], true);
        await SendAsync([2, 3], false);
        await SendAsync([], false);
        await SendAsync([4], true);
        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, TestContext.Current.CancellationToken).Within("the answer to the close");
        Assert.Equal([1, 2, 3, 4], await received.Task.Within("the bytes"));

        Task SendAsync(byte[] bytes, bool isEnd) => socket.SendAsync(bytes, WebSocketMessageType.Binary, isEnd, TestContext.Current.CancellationToken);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_peer_that_does_not_answer_the_close_is_not_waited_for()
    {
        var ended = new Signal("the end of the stream");
        await using var application = await StartAsync(_ => Task.CompletedTask, ended);
        using var socket = await DialAsync(application); // which never receives
        await ended.WaitAsync();
    }

    private static Task<Application> StartAsync(Func<WebSocketByteStream, Task> serve, Signal? ended = null) => Application.StartAsync((_, _) => { }, static options => options.Address = "mux://127.0.0.1:0", map: map =>
    {
        map.UseWebSockets();
        map.Map("/mux", async context =>
        {
            using var socket = await context.WebSockets.AcceptWebSocketAsync(WebSocketByteStream.SubProtocol);
            var stream = new WebSocketByteStream(socket);
            await using (stream) await serve(stream);
            await stream.Ended;
            ended?.Set();
        });
    });

    private static async Task<ClientWebSocket> DialAsync(Application application)
    {
        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol(WebSocketByteStream.SubProtocol);
        await socket.ConnectAsync(new Uri($"ws://127.0.0.1:{application.Port}/mux"), TestContext.Current.CancellationToken);
        return socket;
    }
}
