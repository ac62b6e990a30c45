using System.Diagnostics;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>Accepts links at one address until it is disposed, despite errors. Spreads its links over the loops.</summary>
internal sealed class EpollListener : ITransportListener, ILoopSource
{
    // Limit per turn, so that the other sources of the loop get theirs: each accept costs 20-40 us. The kernel reports again what is left.
    private const int AcceptsPerTurn = 16;

    private readonly Lock _gate = new(); // guards the timer, and keeps the socket open while its descriptor is used
    private readonly EventLoopGroup _loops;
    private readonly EventLoop _loop;
    private readonly Action<Link> _accepted;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private readonly Socket _socket;
    private readonly int _handle;
    private AcceptBackoff _backoff; // owned by the loop
    private ITimer? _resume;
    private bool _isWatched; // owned by the loop
    private bool _disposed;

    /// <summary>Binds the socket and starts to listen. Takes ownership of one use of the loops.</summary>
    /// <exception cref="IOException">The listener cannot bind to the address; the message names the address and the reason.</exception>
    public EpollListener(MuxAddress address, SocketSetup setup, EventLoopGroup loops, Action<Link> accepted, ILogger logger, TimeProvider timeProvider)
    {
        _loops = loops;
        _loop = loops.Next();
        _accepted = accepted;
        _logger = logger;
        _timeProvider = timeProvider;
        (_socket, Address) = ListeningSocket.Bind(address, setup);
        _socket.Blocking = false;
        _handle = (int)_socket.SafeHandle.DangerousGetHandle();
        _loop.Post(this, LoopCommand.Open);
    }

    public MuxAddress Address { get; }

    ulong ILoopSource.Registration { get; set; }

    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed) return;
            _disposed = true;
            _socket.Dispose(); // also ends the watch; the runtime removes the socket file
            _resume?.Dispose();
        }

        _loop.Post(this, LoopCommand.Close);
    }

    bool ILoopSource.OnEvents(uint flags)
    {
        for (int i = 0; i < AcceptsPerTurn; i++)
        {
            int handle = Accept(out int error);
            if (handle >= 0)
            {
                _backoff.Reset();
                HandOver(handle);
            }
            else if (error == Errno.Again)
            {
                break;
            }
            else if (error is not (Errno.Interrupted or Errno.ConnectionAborted)) // these errors concern one connection; the next accept may succeed
            {
                Pause(Errno.ToSocketError(error));
                break;
            }
        }

        return true;
    }

    void ILoopSource.OnCommand(LoopCommand command)
    {
        if (command == LoopCommand.Close)
        {
            if (_isWatched) _loop.Forget(this);
            _loops.Leave();
            return;
        }

        lock (_gate)
        {
            if (_disposed) return;
            if (_isWatched) _loop.Watch(this, _handle, EpollFlags.Readable);
            else _loop.Add(this, _handle, EpollFlags.Readable);
            _isWatched = true;
        }
    }

    /// <summary>Handles an internal error like a failed accept: logs it and pauses.</summary>
    public void OnFault(Exception error)
    {
        EpollTransportLog.ListenerFault(_logger, error, Address);
        Pause(SocketError.SocketError);
    }

    private int Accept(out int error)
    {
        lock (_gate)
        {
            error = Errno.Again;
            return _disposed ? -1 : Libc.Accept(_handle, out error);
        }
    }

    private void HandOver(int handle)
    {
        var owned = new SafeSocketHandle(handle, ownsHandle: true);
        Socket socket;
        try
        {
            socket = new Socket(owned);
            SocketSetup.PrepareConnected(socket);
        }
        catch (SocketException)
        {
            owned.Dispose(); // the peer has already closed the connection
            return;
        }

        bool entered = _loops.TryEnter();
        Debug.Assert(entered, "The listener's own use keeps the loops until its last command.");
        var link = new EpollLink(_loops, _loops.Next(), socket, _logger);
        try
        {
            _accepted(link);
        }
        catch (Exception e)
        {
            link.Close();
            SocketTransportLog.AcceptedCallbackFailed(_logger, e, Address);
        }
    }

    /// <summary>Stops watching the socket, which stays readable, until the pause is over.</summary>
    private void Pause(SocketError error)
    {
        var pause = _backoff.Next();
        SocketTransportLog.AcceptFailed(_logger, Address, error, pause);
        lock (_gate)
        {
            if (_disposed) return;
            if (_isWatched) _loop.Watch(this, _handle, EpollFlags.None);
            if (_resume is { } resume) resume.Change(pause, Timeout.InfiniteTimeSpan);
            else _resume = _timeProvider.CreateTimer(Resume, this, pause, Timeout.InfiniteTimeSpan);
        }

        static void Resume(object? self)
        {
            var listener = (EpollListener)self!;
            listener._loop.Post(listener, LoopCommand.Resume);
        }
    }
}

/// <summary>Log messages of the epoll transport, in addition to those of all sockets. Users filter by event name, so the names do not change.</summary>
internal static partial class EpollTransportLog
{
    [LoggerMessage(EventIds.LinkFault, LogLevel.Error, "The link with {RemoteAddress} was closed after an internal error.", EventName = "LinkFault")]
    public static partial void LinkFault(ILogger logger, Exception exception, string remoteAddress);

    [LoggerMessage(EventIds.ListenerFault, LogLevel.Error, "Accepting at {Address} failed with an internal error.", EventName = "ListenerFault")]
    public static partial void ListenerFault(ILogger logger, Exception exception, MuxAddress address);
}
