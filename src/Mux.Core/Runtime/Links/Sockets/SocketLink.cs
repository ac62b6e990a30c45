using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// One connection from <see cref="Link.Start"/> to <see cref="ILinkHandler.OnClosed"/>. Its <see cref="SocketReceiver"/> and <see cref="SocketSender"/> move
/// the bytes.
/// </summary>
/// <remarks>
/// <para>Parties are the loop, and each send in progress, because the operating system works on a buffer of the link. They notice the end because it disposes
/// the socket.</para>
/// <para>One end keeps the socket open until the parties have left: the peer has ended its stream, but bytes accepted before <see cref="ShutdownSend"/> are
/// still being sent.</para>
/// </remarks>
#pragma warning disable CA1001 // A link ends itself: Release disposes what it owns.
internal sealed class SocketLink : EngineLink, ICarrierLink
#pragma warning restore CA1001
{
    private readonly SocketDialer? _dialer; // null for an accepted link
    private Socket? _socket;
    private SocketReceiver? _receiver;
    private SocketSender? _sender;
    private string _remoteAddress = string.Empty;

    /// <summary>Creates a link that connects when it is started.</summary>
    public SocketLink(SocketDialer dialer) => _dialer = dialer;

    /// <summary>Creates a link over an accepted socket and takes ownership of it.</summary>
    public SocketLink(Socket socket)
    {
        _socket = socket;
        _remoteAddress = SocketEndPoints.DescribeRemote(socket); // logs also name links that are never started
    }

    public override string RemoteAddress => _remoteAddress;

    public override PeerIdentity? Identity => Volatile.Read(ref _socket) is { } socket ? PeerUser.IdentityOf(socket) : null;

    public override bool DropsOutput => IsOver || _sender is { Failure: not SocketError.Success };

    /// <inheritdoc/>
    public override bool HasUndeliveredInput => !IsOver && _receiver is { HasUndeliveredInput: true };

    bool ICarrierLink.HasInputWaiting => !IsOver && _receiver is { HasInputWaiting: true };

    public override bool CanHandOver => true;

    public override int Send(ReadOnlySpan<byte> bytes) => _sender is { } sender ? sender.Send(bytes) : bytes.Length;

    public override void ShutdownSend() => _sender?.Shutdown();

    public override void HandOver(int consumed) => _receiver!.HandOver(consumed);

    void ICarrierLink.Pause() => _receiver!.Pause();

    void ICarrierLink.Resume() => _receiver!.Resume();

    /// <summary>Ends the link after a failed operation on the connected socket.</summary>
    public void End(SocketError error)
    {
        if (!IsOver) End(SocketFailure.CauseOf(error), SocketFailure.ToException(_remoteAddress, error));
    }

    /// <summary>Ends the link because the peer has ended its stream.</summary>
    public void EndOfStream()
    {
        // A failed send consumes the error of a broken connection, so the next receive only finds the end of the stream. EPIPE alone is no error: it says that
        // the peer has ended its stream and no longer reads.
        var failure = _sender!.Failure;
        if (failure is not (SocketError.Success or SocketError.Shutdown))
        {
            End(failure);
            return;
        }

        Decide(LinkCloseCause.EndOfStream, null);
        if (!_sender.IsFlushing) DisposeSocket();
    }

    protected override bool Open()
    {
        if (Volatile.Read(ref _socket) is not { } socket) return Connect(DialAsync(_dialer!));
        Run(socket);
        return false;
    }

    protected override void Stop(bool isClosed)
    {
        if (Volatile.Read(ref _socket) is not null) DisposeSocket(); // also if another end came first and the last bytes still keep the socket open
        else if (isClosed) _dialer?.Cancel();
    }

    protected override void Release()
    {
        DisposeSocket();
        _receiver?.Dispose();
        _sender?.Dispose();
    }

    private async Task<Exception?> DialAsync(SocketDialer dialer)
    {
        var (socket, failure) = await dialer.ConnectAsync().ConfigureAwait(false);
        Interlocked.Exchange(ref _socket, socket);
        return failure;
    }

    private void Run(Socket socket)
    {
        if (_dialer is not null) _remoteAddress = SocketEndPoints.DescribeRemote(socket);
        _receiver = new SocketReceiver(this, socket, Handler);
        _sender = new SocketSender(this, socket, Handler);
        Handler.OnConnected();
        _receiver.Run();
    }

    private void DisposeSocket()
    {
        if (Volatile.Read(ref _socket) is not { } socket) return;
        try
        {
            // Without this, disposing a socket with a pending operation resets the connection, and the peer loses what it has not read yet.
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // Already broken or shut down.
        }
        catch (ObjectDisposedException)
        {
            return;
        }

        socket.Dispose();
    }
}
