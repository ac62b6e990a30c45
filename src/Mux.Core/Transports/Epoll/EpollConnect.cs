using System.Net;
using System.Net.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>A connect in progress, watched by a loop. Ends once: when the kernel has finished it, or when it is cancelled.</summary>
internal sealed class EpollConnect : ILoopSource
{
    private readonly EventLoop _loop;
    private readonly int _handle;
    // Continuations run on the loop and do not block it. They must not need the thread pool, which may be full of blocked user code.
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.None);
    private bool _isWatched; // owned by the loop

    private EpollConnect(EventLoop loop, int handle)
    {
        _loop = loop;
        _handle = handle;
    }

    ulong ILoopSource.Registration { get; set; }

    /// <summary>
    /// Connects without blocking and without an asynchronous socket operation: after one, the runtime would watch the handle until it is closed.
    /// </summary>
    /// <exception cref="SocketException">The connect failed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public static async ValueTask ConnectAsync(EventLoop loop, Socket socket, EndPoint endPoint, CancellationToken cancellationToken)
    {
        socket.Blocking = false;
        if (TryConnect(socket, endPoint)) return;
        var connect = new EpollConnect(loop, (int)socket.SafeHandle.DangerousGetHandle()); // the caller disposes the socket, and only after this method
        loop.Post(connect, LoopCommand.Open);
        using (cancellationToken.UnsafeRegister(static self => ((EpollConnect)self!).Cancel(), connect)) await connect._done.Task.ConfigureAwait(false);
        var error = (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        if (error is not SocketError.Success) throw new SocketException((int)error);
    }

    bool ILoopSource.OnEvents(uint flags)
    {
        EndWatch();
        _done.TrySetResult();
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
            _done.TrySetCanceled();
        }
    }

    public void OnFault(Exception error)
    {
        EndWatch();
        _done.TrySetException(error);
    }

    private static bool TryConnect(Socket socket, EndPoint endPoint)
    {
        try
        {
            socket.Connect(endPoint);
            return true;
        }
        catch (SocketException e)
            when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress && endPoint.AddressFamily is not AddressFamily.Unix)
        {
            return false; // for a Unix domain socket the error means that the listener's queue is full: a failure
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
