using System.Net.Sockets;
using Mux.Addresses;
using Mux.Transports.Links;

namespace Mux.Transports.Sockets;

/// <summary>
/// One connection from <see cref="Start"/> to <see cref="ILinkHandler.OnClosed"/>. Its <see cref="SocketReceiver"/> and <see cref="SocketSender"/> move the
/// bytes.
/// </summary>
/// <remarks>
/// <para>States: idle -> (dialing) -> running -> over -> reported, once all parties have left.</para>
/// <para>A party may still call the handler, or has the operating system work on one of the link's buffers. Parties are the loop (dialing, then receiving) from
/// <see cref="Start"/> on, and each send in progress. They notice the end because it disposes the socket. The last party to leave queues
/// <see cref="ILinkHandler.OnClosed"/>.</para>
/// <para>One end keeps the socket open until the parties have left: the peer has ended its stream, but bytes accepted before <see cref="ShutdownSend"/> are
/// still being sent.</para>
/// </remarks>
#pragma warning disable CA1001 // A link ends itself: Report disposes what it owns.
internal sealed class SocketLink : Link, IThreadPoolWorkItem, ICarrierLink
#pragma warning restore CA1001
{
    private static readonly LinkEnd s_closed = new(LinkCloseCause.Closed, null);

    private readonly SocketDialer? _dialer; // null for an accepted link
    private Socket? _socket;
    private ILinkHandler? _handler;
    private SocketReceiver? _receiver;
    private SocketSender? _sender;
    private string _remoteAddress = string.Empty;
    private PartyCount _parties;

    // Set once, by the thread that finds the end first.
    private LinkEnd? _end;

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

    /// <summary>True once the end is decided. The link receives and sends nothing from then on.</summary>
    public bool IsOver => Volatile.Read(ref _end) is not null;

    public override bool CanHandOver => true;

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        _parties.Open();

        // A separate work item: the handler must not be called from here, and the caller's ExecutionContext must not follow the link.
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => _sender is { } sender ? sender.Send(bytes) : bytes.Length;

    public override void ShutdownSend() => _sender?.Shutdown();

    public override void HandOver(int consumed) => _receiver!.HandOver(consumed);

    void ICarrierLink.Pause() => _receiver!.Pause();

    void ICarrierLink.Resume() => _receiver!.Resume();

    public override void Close()
    {
        End(s_closed);
        if (Volatile.Read(ref _socket) is null) _dialer?.Cancel();
        else DisposeSocket(); // also if another end came first and the last bytes still keep the socket open
    }

    /// <summary>The work item of the loop: dials if there is no socket yet, otherwise connects the handler and receives.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        if (IsOver) Leave();
        else if (Volatile.Read(ref _socket) is { } socket) Run(socket);
        else _ = DialAsync(_dialer!);
    }

    /// <summary>Makes the caller a party before it starts an asynchronous operation. False if the link is over and reported, or about to be.</summary>
    public bool TryEnter() => _parties.TryEnter();

    /// <summary>Leaves as a party. The loop does so only after the end is decided.</summary>
    public void Leave()
    {
        // A separate work item: the last party may be a thread inside Send, where the handler must not be called.
        if (_parties.Leave()) ThreadPool.UnsafeQueueUserWorkItem(static link => link.Report(), this, preferLocal: false);
    }

    /// <summary>Ends the link after a failed operation on the connected socket.</summary>
    public void End(SocketError error)
    {
        if (!IsOver) End(SocketFailure.CauseOf(error), SocketFailure.ToException(_remoteAddress, error));
    }

    /// <summary>Ends the link with the given cause.</summary>
    public void End(LinkCloseCause cause, Exception error)
    {
        End(new LinkEnd(cause, error));
        DisposeSocket();
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

        End(new LinkEnd(LinkCloseCause.EndOfStream, null));
        if (!_sender.IsFlushing) DisposeSocket();
    }

    private void End(LinkEnd end) => Interlocked.CompareExchange(ref _end, end, null);

    private async Task DialAsync(SocketDialer dialer)
    {
        try
        {
            var socket = await dialer.ConnectAsync().ConfigureAwait(false);

            // Publish before checking whether the link is over. Close does it the other way round, so one of the two disposes the socket.
            Interlocked.Exchange(ref _socket, socket);
            if (IsOver) DisposeSocket();
        }
        catch (Exception e) // after Close this is a cancellation, and the end is already decided
        {
            End(LinkCloseCause.ConnectFailed, e);
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void Run(Socket socket)
    {
        if (_dialer is not null) _remoteAddress = SocketEndPoints.DescribeRemote(socket);
        _receiver = new SocketReceiver(this, socket, _handler!);
        _sender = new SocketSender(this, socket, _handler!);
        _handler!.OnConnected();
        _receiver.Run();
    }

    private void Report()
    {
        DisposeSocket();
        _receiver?.Dispose();
        _sender?.Dispose();
        _handler!.OnClosed(_end!.Cause, _end.Error);
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

    private sealed record LinkEnd(LinkCloseCause Cause, Exception? Error);
}
