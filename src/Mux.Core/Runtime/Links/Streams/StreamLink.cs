using System.Net.Sockets;
using Mux.Transports;
using Mux.Transports.Streams;

namespace Mux.Runtime;

/// <summary>
/// One connection over streams or pipes from <see cref="Link.Start"/> to <see cref="ILinkHandler.OnClosed"/>. Its <see cref="StreamReceiver"/> and
/// <see cref="StreamSender"/> move the bytes.
/// </summary>
/// <remarks>
/// <para>Parties are the loop, and each write in progress. The end makes those parties leave that only wait for a stream, because a stream may never
/// answer.</para>
/// <para>One end keeps the streams open until the parties have left: the peer has ended its stream, but bytes accepted before <see cref="ShutdownSend"/> are
/// still being sent.</para>
/// </remarks>
#pragma warning disable CA1001 // A link ends itself: Release disposes what it owns.
internal sealed class StreamLink : EngineLink
#pragma warning restore CA1001
{
    private readonly StreamDialer? _dialer; // null for an accepted link
    private StreamConnection? _connection;
    private StreamReceiver? _receiver;
    private StreamSender? _sender;

    // 1 once the connection's directions have an owner: the loop that runs them, or the end of a link that never ran, which releases them.
    private int _isTaken;

    /// <summary>Creates a link that connects when it is started.</summary>
    public StreamLink(StreamDialer dialer) => _dialer = dialer;

    /// <summary>Creates a link over an accepted connection and takes ownership of it.</summary>
    public StreamLink(StreamConnection connection) => _connection = connection;

    public override string RemoteAddress => Volatile.Read(ref _connection)?.RemoteAddress ?? string.Empty;

    public override PeerIdentity? Identity => Volatile.Read(ref _connection)?.Identity;

    public override ReadOnlyMemory<byte> ChannelBinding => Volatile.Read(ref _connection)?.ChannelBinding ?? default;

    public override bool DropsOutput => IsOver || _sender is { Failure: not null };

    /// <inheritdoc/>
    public override bool HasUndeliveredInput => !IsOver && _receiver is { HasUndeliveredInput: true };

    /// <summary>True once a byte was received. Set by the receiver.</summary>
    public bool HasReceived { get; set; }

    /// <summary>True once a write has failed.</summary>
    public bool HasSendFailed => _sender!.Failure is not null;

    public override bool CanHandOver => Volatile.Read(ref _connection)?.Driver is not { CanHandOver: false };

    public override int Send(ReadOnlySpan<byte> bytes) => _sender is { } sender ? sender.Send(bytes) : bytes.Length;

    public override void ShutdownSend() => _sender?.Shutdown();

    public override void HandOver(int consumed)
    {
        var driver = _connection!.Driver;
        driver?.LosePlace();
        if (_receiver!.HandOver(consumed)) driver?.TakePlace();
    }

    /// <summary>Ends the link after a failed read.</summary>
    public void EndReceiving(Exception error)
    {
        if (!IsOver) End(StreamFailure.CauseOf(error), EarlyEnd(error) ?? StreamFailure.ToException(RemoteAddress, error));
    }

    /// <summary>Ends the link after a failed write that no read will notice.</summary>
    public void EndSending() => EndReceiving(_sender!.Failure!);

    /// <summary>Handles a failed write. If the peer has broken the connection, the link still receives what the peer sent before.</summary>
    public void OnSendFailed()
    {
        if (StreamFailure.CauseOf(_sender!.Failure!) is LinkCloseCause.Reset) _receiver!.OnSendFailed();
        else EndSending();
    }

    /// <summary>Ends the link because the peer has ended its stream.</summary>
    public void EndOfStream()
    {
        if (_sender!.Failure is { } failure && !StreamFailure.IsPeersEnd(failure))
        {
            EndReceiving(failure);
            return;
        }

        var early = EarlyEnd(null);
        Decide(early is null ? LinkCloseCause.EndOfStream : LinkCloseCause.Reset, early);
        if (!_sender.IsFlushing) GiveUp();
    }

    protected override bool Open()
    {
        if (Volatile.Read(ref _connection) is not { } connection) return Connect(DialAsync(_dialer!));
        Run(connection);
        return false;
    }

    protected override void Stop(bool isClosed)
    {
        if (isClosed) _dialer?.Cancel();
        GiveUp(); // also if another end came first and the last bytes still keep the streams open
    }

    protected override void Release() => GiveUp();

    /// <summary>
    /// Gets a better reason for an end without one: the peer has sent no byte, and the code that made the connection knows why the peer may have closed it.
    /// </summary>
    private IOException? EarlyEnd(Exception? error) =>
        !HasReceived && Volatile.Read(ref _connection)?.EarlyEnd is { } reason
            ? new IOException(error is null ? reason : $"{reason} ({StreamFailure.Describe(error)})", error)
            : null;

    private async Task<Exception?> DialAsync(StreamDialer dialer)
    {
        Interlocked.Exchange(ref _connection, await dialer.ConnectAsync().ConfigureAwait(false));
        return null;
    }

    private void Run(StreamConnection connection)
    {
        if (Interlocked.Exchange(ref _isTaken, 1) == 1)
        {
            Leave(); // the link ended meanwhile
            return;
        }

        var sender = new StreamSender(this, connection.Output, Handler);
        var receiver = new StreamReceiver(this, connection.Input, Handler);
        Volatile.Write(ref _sender, sender);
        Interlocked.Exchange(ref _receiver, receiver);
        Handler.OnConnected();
        receiver.Start();
    }

    /// <summary>Disposes the streams: pending operations end, or are no longer waited for.</summary>
    private void GiveUp()
    {
        if (Volatile.Read(ref _connection) is not { } connection) return;
        connection.DisposeStreams();
        if (Interlocked.Exchange(ref _isTaken, 1) == 0)
        {
            using var scope = StreamScope.Enter();
            connection.Input.Release();
            connection.Output.Release();
            return;
        }

        Volatile.Read(ref _receiver)?.Abandon();
        Volatile.Read(ref _sender)?.Abandon();
    }
}

/// <summary>
/// Marks threads that are inside a member of a user's stream or pipe. A completion that runs in place there, such as the read at the other end of a pipe with
/// an inline scheduler, must not run a handler: the caller may be inside <see cref="Link.Send"/>.
/// </summary>
internal readonly ref struct StreamScope : IDisposable
{
    // The ExecutionContext of a thread on which nothing was set.
    private static readonly ExecutionContext? s_default = CaptureDefault();

    [ThreadStatic]
    private static int t_depth;

    [ThreadStatic]
    private static bool t_delivers;

    /// <summary>
    /// True if a handler may run on this thread: a pool thread or a link's delivering thread, outside all calls of streams, with the default ExecutionContext.
    /// </summary>
    public static bool MayRunHandler => t_depth == 0 && (t_delivers || Thread.CurrentThread.IsThreadPoolThread)
        && ReferenceEquals(ExecutionContext.Capture(), s_default);

    /// <summary>True if this thread is in a delivery of a link. The link needs the thread back soon and gives other links their turn.</summary>
    public static bool IsInDelivery => t_delivers;

    /// <summary>Notes that this thread is about to call a stream. Dispose the result when the call has returned.</summary>
    public static StreamScope Enter()
    {
        t_depth++;
        return default;
    }

    /// <summary>
    /// Notes that this thread is in a delivery of a link, so that the awaiting code may continue here. Dispose the result after the delivery.
    /// </summary>
    public static Delivery BeginDelivery()
    {
        var outer = new Delivery(t_delivers);
        t_delivers = true;
        return outer;
    }

    public void Dispose() => t_depth--;

    private static ExecutionContext? CaptureDefault()
    {
        ExecutionContext? captured = null;
        var thread = new Thread(() => captured = ExecutionContext.Capture());
        thread.UnsafeStart();
        thread.Join();
        return captured;
    }

    internal readonly ref struct Delivery(bool wasInOne) : IDisposable
    {
        public void Dispose() => t_delivers = wasInOne;
    }
}

/// <summary>Maps exceptions of streams to close causes and messages.</summary>
internal static class StreamFailure
{
    /// <summary>Tells whether the peer or the network broke the connection, or something failed on this side.</summary>
    public static LinkCloseCause CauseOf(Exception error) => SocketErrorOf(error) switch
    {
        { } code => SocketFailure.CauseOf(code),
        null => error is IOException ? LinkCloseCause.Reset : LinkCloseCause.Failed,
    };

    /// <summary>True if the error says only that the peer no longer reads, which is fine for a peer that has ended its stream gracefully.</summary>
    public static bool IsPeersEnd(Exception error) => SocketErrorOf(error) is SocketError.Shutdown;

    /// <summary>Creates the error that a link reports.</summary>
    public static IOException ToException(string remoteAddress, Exception error)
    {
        if (SocketErrorOf(error) is { } code) return SocketFailure.ToException(remoteAddress, code);
        var where = remoteAddress.Length > 0 ? $"Connection with {remoteAddress}" : "Connection";
        return new IOException($"{where}: {error.Message}", error);
    }

    /// <summary>Joins the messages from the outermost to the innermost exception: for TLS and HTTP, the inner ones hold the reason.</summary>
    public static string Describe(Exception error)
    {
        var texts = new List<string>();
        for (Exception? e = error; e is not null; e = e.InnerException) texts.Add(e.Message.TrimEnd('.'));
        return string.Join(": ", texts.Distinct(StringComparer.Ordinal));
    }

    /// <summary>Ends a part of a stream or pipe and ignores failures: its owner may have ended it already.</summary>
    public static void Attempt(Action end)
    {
        try
        {
            end();
        }
        catch (Exception)
        {
            // A part that cannot end gracefully is broken, and the link is over.
        }
    }

    private static SocketError? SocketErrorOf(Exception error) => (error as SocketException ?? error.InnerException as SocketException)?.SocketErrorCode;
}
