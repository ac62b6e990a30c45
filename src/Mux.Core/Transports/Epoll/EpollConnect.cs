using System.Net;
using System.Net.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>One connect under way, watched by a loop. Ends once: when the system is done with it, or when it is cancelled.</summary>
internal sealed class EpollConnect : ILoopSource
{
    private readonly EventLoop _loop;
    private readonly int _handle;
    // what awaits it continues in the loop, and does not block there: the thread pool may be full of blocked code
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.None);
    private bool _isWatched; // the loop's

    private EpollConnect(EventLoop loop, int handle)
    {
        _loop = loop;
        _handle = handle;
    }

    ulong ILoopSource.Registration { get; set; }

    /// <summary>
    /// Connects without blocking and without an asynchronous operation of the socket, which would have the runtime watch its handle for good.
    /// </summary>
    /// <exception cref="SocketException">It failed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public static async ValueTask ConnectAsync(EventLoop loop, Socket socket, EndPoint endPoint, CancellationToken cancellationToken)
    {
        socket.Blocking = false;
        if (TryConnect(socket, endPoint)) return;
        var connect = new EpollConnect(loop, (int)socket.SafeHandle.DangerousGetHandle()); // disposed by the caller, after this
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
            return false; // of a Unix domain socket it says that the listener's queue is full, which is a failure
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
