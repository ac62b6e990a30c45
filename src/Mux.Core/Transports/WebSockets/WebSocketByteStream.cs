using System.Net.WebSockets;
using System.Runtime.CompilerServices;

namespace Mux.Transports.WebSockets;

/// <summary>
/// The bytes of a WebSocket's binary messages, whose borders mean nothing, for <see cref="Streams.StreamConnection.Over(Stream, string)"/>. Every write is one
/// message. Text, a message above <see cref="MaxMessageBytes"/>, and more than a hundred empty ones in a row end the connection with a status that says so.
/// </summary>
/// <remarks>
/// A read and a write may be under way at a time, on different threads; never two reads or two writes. Asynchronous only. Disposing it closes the WebSocket in
/// order and does not wait: <see cref="Ended"/> does.
/// </remarks>
/// <param name="socket">Open; the stream's from now on, which closes and disposes it.</param>
public sealed class WebSocketByteStream(WebSocket socket) : Stream
{
    /// <summary>The sub-protocol both sides agree on.</summary>
    public const string SubProtocol = "mux.1";

    /// <summary>
    /// The longest message that is taken, in bytes: 1 MiB. Mux itself sends none above 64 KiB; a message without an end would go around whatever counts
    /// messages on the way.
    /// </summary>
    public const int MaxMessageBytes = 1024 * 1024;

    // A message, or a part of one, may be empty, and costs a turn here without bringing any: Mux sends none, and others at most one at the end of a message.
    private const int MaxEmptyInARow = 100;

    /// <summary>How long a peer may take to answer a close.</summary>
    private static readonly TimeSpan s_closeTimeout = TimeSpan.FromSeconds(2);

    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _messageBytes; // of the message that is being read
    private int _empty; // parts without a byte, in a row
    private bool _isAtEnd;
    private WebSocketCloseStatus _closeStatus = WebSocketCloseStatus.NormalClosure;
    private string? _closeReason;
    private int _isEnding;

    /// <summary>
    /// Completes when the WebSocket is closed and disposed, in order or not: 2 s after the stream was disposed at the latest. It never fails.
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

    /// <summary>Reads bytes of whatever message comes. An empty buffer waits for some.</summary>
    /// <returns>How many, or 0 when the peer has closed the WebSocket.</returns>
    /// <exception cref="InvalidDataException">The peer sent text, a message that is too long, or nothing but empty ones.</exception>
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

    /// <summary>Does nothing: what is written is sent.</summary>
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
        if (_messageBytes > MaxMessageBytes) throw Refusal(WebSocketCloseStatus.MessageTooBig, $"A message may have {MaxMessageBytes} bytes.");
        if (result.EndOfMessage) _messageBytes = 0;
        return result.Count;
    }

    /// <summary>The error of a peer that breaks a rule, which the close tells it.</summary>
    private InvalidDataException Refusal(WebSocketCloseStatus status, string reason)
    {
        _closeStatus = status;
        _closeReason = reason;
        return new InvalidDataException(reason);
    }

    /// <summary>Closes in order. A read that is pending sees the peer's answer; without one, what still arrives is dropped.</summary>
    private async Task EndAsync()
    {
        try
        {
            using var timeout = new CancellationTokenSource(s_closeTimeout);
            await socket.CloseAsync(_closeStatus, _closeReason, timeout.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            socket.Abort(); // broken, closed already, or a peer that does not answer
        }

        socket.Dispose();
        _ended.TrySetResult();
    }
}
