using System.Net;
using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>A connect in progress, watched by a loop. Ends once: when the kernel has finished it, or when it is cancelled.</summary>
internal sealed class EpollConnect : ILoopSource
{
    private readonly EventLoop _loop;
    private readonly int _handle;
    // Continuations run on the loop and do not block it. They must not need the thread pool, which may be full of blocked user code.
    private readonly TaskCompletionSource<bool> _done = new(TaskCreationOptions.None); // false if it was cancelled
    private bool _isWatched; // owned by the loop

    private EpollConnect(EventLoop loop, int handle)
    {
        _loop = loop;
        _handle = handle;
    }

    ulong ILoopSource.Registration { get; set; }

    /// <summary>
    /// Connects without blocking and without an asynchronous socket operation: after one, the runtime would watch the handle until it is closed. A system call
    /// begins it, because the runtime would throw an exception that says that the connect is under way.
    /// </summary>
    /// <inheritdoc cref="SocketDialer.Connect" path="/returns"/>
    public static async ValueTask<SocketError> ConnectAsync(EventLoop loop, Socket socket, EndPoint endPoint, CancellationToken cancellationToken)
    {
        socket.Blocking = false;
        if (endPoint.AddressFamily is AddressFamily.Unix) return Connect(socket, endPoint); // never under way: it succeeds or fails at once
        int handle = (int)socket.SafeHandle.DangerousGetHandle(); // the caller disposes the socket, and only after this method
        int number = Libc.Connect(handle, endPoint.Serialize().Buffer.Span);
        if (number is not (0 or Errno.InProgress)) return Errno.ToSocketError(number);
        if (number == Errno.InProgress)
        {
            var connect = new EpollConnect(loop, handle);
            loop.Post(connect, LoopCommand.Open);
            using (cancellationToken.UnsafeRegister(static self => ((EpollConnect)self!).Cancel(), connect))
            {
                if (!await connect._done.Task.InPlace()) return SocketError.OperationAborted;
            }

            var error = (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
            if (error is not SocketError.Success) return error;
        }

        return Connect(socket, endPoint); // succeeds at once (connect(2)): the runtime must know that the socket is connected
    }

    bool ILoopSource.OnEvents(uint flags)
    {
        EndWatch();
        _done.TrySetResult(true);
        return true;
    }

    void ILoopSource.OnCommand(LoopCommand command)
    {
        if (command == LoopCommand.Open)
        {
            _loop.Add(this, _handle, EpollFlags.Writable);
            _isWatched = true;
        }
        else
        {
            EndWatch();
            _done.TrySetResult(false);
        }
    }

    public void OnFault(Exception error)
    {
        EndWatch();
        _done.TrySetException(error);
    }

    private static SocketError Connect(Socket socket, EndPoint endPoint)
    {
        try
        {
            socket.Connect(endPoint);
            return SocketError.Success;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode;
        }
    }

    private void Cancel() => _loop.Post(this, LoopCommand.Close);

    private void EndWatch()
    {
        if (!_isWatched) return;
        _isWatched = false;
        _loop.Remove(this, _handle);
    }
}

/// <summary>
/// The socket of a link, used by its file descriptor. Holds one reference to the handle for all users, so that the descriptor stays valid until the last user
/// calls <see cref="Dispose"/>.
/// </summary>
/// <remarks>Never start an asynchronous operation on this socket: the runtime would watch its handle with its own epoll until the socket is closed.</remarks>
internal sealed class ConnectedSocket : IDisposable
{
    private readonly Socket _socket;

    public ConnectedSocket(Socket socket)
    {
        _socket = socket;
        bool isReferenced = false;
        socket.SafeHandle.DangerousAddRef(ref isReferenced);
        Handle = (int)socket.SafeHandle.DangerousGetHandle();
    }

    /// <summary>The file descriptor.</summary>
    public int Handle { get; }

    /// <summary>True if bytes are waiting to be received.</summary>
    public bool HasInput
    {
        get
        {
            try
            {
                return _socket.Available > 0;
            }
            catch (SocketException) // broken
            {
                return false;
            }
        }
    }

    /// <inheritdoc cref="SocketEndPoints.DescribeRemote"/>
    public string DescribeRemote() => SocketEndPoints.DescribeRemote(_socket);

    /// <inheritdoc cref="PeerUser.IdentityOf(Socket)"/>
    public PeerIdentity? DescribePeer() => PeerUser.IdentityOf(_socket);

    /// <summary>Closes the socket. Called exactly once.</summary>
    public void Dispose()
    {
        _socket.SafeHandle.DangerousRelease(); // before Dispose, which would otherwise wait for it
        _socket.Dispose();
    }
}

/// <summary>Events that a handle is watched for, and events that happened to it. The values are the kernel's.</summary>
internal static class EpollFlags
{
    public const uint None = 0;

    /// <summary>Bytes, the end of the stream, or a connection to accept.</summary>
    public const uint Readable = 0x001;

    /// <summary>Room to send, or a finished connect.</summary>
    public const uint Writable = 0x004;

    /// <summary>A failure or a hang-up. Always reported; the next receive tells which of the two it is.</summary>
    public const uint Broken = 0x008 | 0x010;
}
