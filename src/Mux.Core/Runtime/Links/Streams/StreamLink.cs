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
