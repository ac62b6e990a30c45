using System.Net;
using System.Net.Sockets;

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
