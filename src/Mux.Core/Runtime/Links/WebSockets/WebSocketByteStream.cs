using System.Net.WebSockets;
using System.Runtime.CompilerServices;

namespace Mux.Transports.WebSockets;

/// <summary>
/// A stream of the bytes in a WebSocket's binary messages, for <see cref="Streams.StreamConnection.Over(Stream, string)"/>. Boundaries of messages have no
/// meaning; each write sends one message. A text message, a message above <see cref="MaxMessageBytes"/>, or more than 100 empty messages in a row end the
/// connection with a status and a reason.
/// </summary>
/// <remarks>
/// One read and one write may run concurrently, on different threads, but not two reads or two writes. Only asynchronous operations are supported. Disposing
/// the stream starts to close the WebSocket and does not wait; await <see cref="Ended"/> to wait.
/// </remarks>
/// <param name="socket">An open WebSocket. The stream owns it from now on, and closes and disposes it.</param>
public sealed class WebSocketByteStream(WebSocket socket) : Stream
{
    /// <summary>The sub-protocol on which both sides agree.</summary>
    public const string SubProtocol = "mux.1";

    /// <summary>
    /// Maximum length of a received message, in bytes: 1 MiB. Mux itself sends none above 64 KiB. Without a limit, a peer could send one endless message, which
    /// proxies that count messages would not see.
    /// </summary>
    public const int MaxMessageBytes = 1024 * 1024;

    // Messages and parts of messages may be empty, and each costs a read here. Mux sends none; others send at most one at the end of a message.
    private const int MaxEmptyInARow = 100;

    /// <summary>Maximum time for the peer to answer a close.</summary>
    private static readonly TimeSpan s_closeTimeout = TimeSpan.FromSeconds(2);

    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _messageBytes; // of the message that is being read
    private int _empty; // parts without a byte, in a row
    private bool _isAtEnd;
    private WebSocketCloseStatus _closeStatus = WebSocketCloseStatus.NormalClosure;
    private string? _closeReason;
    private int _isEnding;

    /// <summary>
    /// Gets a task that completes when the WebSocket is closed and disposed, gracefully or not, at most 2 s after the stream was disposed. It never fails.
    /// </summary>
    public Task Ended => _ended.Task;

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Reads bytes of the next messages. A read with an empty buffer waits for bytes.</summary>
    /// <returns>The number of bytes, or 0 if the peer has closed the WebSocket.</returns>
    /// <exception cref="InvalidDataException">The peer sent text, a message that is too long, or too many empty messages.</exception>
    /// <exception cref="IOException">The connection broke.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))] // a read that waits allocates nothing of its own
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (!_isAtEnd)
        {
            int count = await ReceiveAsync(buffer, cancellationToken).ConfigureAwait(false);
            if (buffer.IsEmpty) return 0;
            if (count > 0)
            {
                _empty = 0;
                return count;
            }

            if (!_isAtEnd && ++_empty > MaxEmptyInARow)
            {
                throw Refusal(WebSocketCloseStatus.PolicyViolation, $"More than {MaxEmptyInARow} messages in a row were empty.");
            }
        }

        return 0;
    }

    /// <summary>Sends one binary message.</summary>
    /// <exception cref="IOException">The connection broke, or the peer has closed it.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            await socket.SendAsync(buffer, WebSocketMessageType.Binary, WebSocketMessageFlags.EndOfMessage, cancellationToken).ConfigureAwait(false);
        }
        catch (WebSocketException e)
        {
            throw new IOException(e.Message, e);
        }
    }

    /// <summary>Does nothing: every write is sent at once.</summary>
    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc cref="FlushAsync"/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <summary>Not supported.</summary>
    /// <exception cref="NotSupportedException">Always: it would block.</exception>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <summary>Not supported.</summary>
    /// <exception cref="NotSupportedException">Always: it would block.</exception>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && Interlocked.Exchange(ref _isEnding, 1) == 0) _ = EndAsync();
        base.Dispose(disposing);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        ValueWebSocketReceiveResult result;
        try
        {
            result = await socket.ReceiveAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (WebSocketException e)
        {
            throw new IOException(e.Message, e);
        }

        if (result.MessageType == WebSocketMessageType.Close)
        {
            _isAtEnd = true;
            return 0;
        }

        if (result.MessageType == WebSocketMessageType.Text) throw Refusal(WebSocketCloseStatus.InvalidMessageType, "Mux takes binary messages only.");
        _messageBytes += result.Count;
        if (_messageBytes > MaxMessageBytes) throw Refusal(WebSocketCloseStatus.MessageTooBig, $"A message may have at most {MaxMessageBytes} bytes.");
        if (result.EndOfMessage) _messageBytes = 0;
        return result.Count;
    }

    /// <summary>Creates the error for a peer that breaks a rule. The peer gets the reason with the close.</summary>
    private InvalidDataException Refusal(WebSocketCloseStatus status, string reason)
    {
        _closeStatus = status;
        _closeReason = reason;
        return new InvalidDataException(reason);
    }

    /// <summary>Closes gracefully. A pending read sees the peer's answer; without a pending read, bytes that still arrive are dropped.</summary>
    private async Task EndAsync()
    {
        try
        {
            using var timeout = new CancellationTokenSource(s_closeTimeout);
            await socket.CloseAsync(_closeStatus, _closeReason, timeout.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            socket.Abort(); // it is broken or already closed, or the peer does not answer
        }

        socket.Dispose();
        _ended.TrySetResult();
    }
}
