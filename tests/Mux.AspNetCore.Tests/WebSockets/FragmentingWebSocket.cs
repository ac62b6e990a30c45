using System.Net.WebSockets;

namespace Mux.AspNetCore.Tests.WebSockets;

/// <summary>A WebSocket of a peer that sends in fragments, as proxies and other libraries may.</summary>
/// <param name="inner">Open.</param>
/// <param name="largest">The most bytes of a fragment.</param>
/// <param name="endsMessages">Whether each send is one message; else all of them are one that never ends.</param>
internal sealed class FragmentingWebSocket(ClientWebSocket inner, int largest, bool endsMessages) : WebSocket
{
    public override WebSocketCloseStatus? CloseStatus => inner.CloseStatus;

    public override string? CloseStatusDescription => inner.CloseStatusDescription;

    public override WebSocketState State => inner.State;

    public override string? SubProtocol => inner.SubProtocol;

    public override async ValueTask SendAsync(ReadOnlyMemory<byte> buffer, WebSocketMessageType messageType, bool endOfMessage, CancellationToken cancellationToken)
    {
        while (buffer.Length > largest)
        {
            await inner.SendAsync(buffer[..largest], messageType, endOfMessage: false, cancellationToken);
            buffer = buffer[largest..];
        }

        await inner.SendAsync(buffer, messageType, endOfMessage: false, cancellationToken);
        if (endsMessages) await inner.SendAsync(ReadOnlyMemory<byte>.Empty, messageType, endOfMessage: true, cancellationToken);
    }

    public override ValueTask SendAsync(ReadOnlyMemory<byte> buffer, WebSocketMessageType messageType, WebSocketMessageFlags messageFlags, CancellationToken cancellationToken) =>
        SendAsync(buffer, messageType, messageFlags.HasFlag(WebSocketMessageFlags.EndOfMessage), cancellationToken);

    public override Task SendAsync(ArraySegment<byte> buffer, WebSocketMessageType messageType, bool endOfMessage, CancellationToken cancellationToken) =>
        SendAsync(buffer.AsMemory(), messageType, endOfMessage, cancellationToken).AsTask();

    public override ValueTask<ValueWebSocketReceiveResult> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken) => inner.ReceiveAsync(buffer, cancellationToken);

    public override Task<WebSocketReceiveResult> ReceiveAsync(ArraySegment<byte> buffer, CancellationToken cancellationToken) => inner.ReceiveAsync(buffer, cancellationToken);

    public override Task CloseAsync(WebSocketCloseStatus closeStatus, string? statusDescription, CancellationToken cancellationToken) => inner.CloseAsync(closeStatus, statusDescription, cancellationToken);

    public override Task CloseOutputAsync(WebSocketCloseStatus closeStatus, string? statusDescription, CancellationToken cancellationToken) => inner.CloseOutputAsync(closeStatus, statusDescription, cancellationToken);

    public override void Abort() => inner.Abort();

    public override void Dispose() => inner.Dispose();
}
