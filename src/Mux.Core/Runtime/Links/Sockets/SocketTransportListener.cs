using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>Accepts links at one address until it is disposed, despite errors. The loop runs on one pool thread at a time.</summary>
internal sealed class SocketTransportListener : ITransportListener, IThreadPoolWorkItem
{
    private readonly Action<Link> _accepted;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private readonly Socket _socket;
    private readonly SocketAsyncEventArgs _accepting = new(unsafeSuppressExecutionContextFlow: true);
    private AcceptBackoff _backoff;
    private ITimer? _resume;
    private volatile bool _disposed;

    public SocketTransportListener(MuxAddress address, SocketSetup setup, Action<Link> accepted, ILogger logger, TimeProvider timeProvider)
    {
        _accepted = accepted;
        _logger = logger;
        _timeProvider = timeProvider;
        (_socket, Address) = ListeningSocket.Bind(address, setup);
        _accepting.Completed += (_, _) => OnCompleted();

        // On another thread: the callback must not run before Listen returns, nor in this thread's ExecutionContext.
        EnginePool.Queue(this);
    }

    public MuxAddress Address { get; }

    public void Dispose()
    {
        _disposed = true;
        _socket.Dispose(); // ends a pending accept; the runtime removes the socket file
        _accepting.Dispose(); // takes effect once no operation uses it
        Volatile.Read(ref _resume)?.Dispose();
    }

    void IThreadPoolWorkItem.Execute() => Run();

    private void OnCompleted()
    {
        EngineThread.AbsorbInterrupt();
        if (TakeAccepted()) Run();
    }

    private void Run()
    {
        do
        {
            _accepting.AcceptSocket = null;
            try
            {
                if (_socket.AcceptAsync(_accepting)) return;
            }
            catch (ObjectDisposedException)
            {
                return;
            }
        }
        while (TakeAccepted());
    }

    /// <returns>True if the next accept can start now; otherwise the loop is over, or the timer will continue it.</returns>
    private bool TakeAccepted()
    {
        if (_disposed)
        {
            _accepting.AcceptSocket?.Dispose();
            return false;
        }

        if (_accepting.SocketError is not SocketError.Success)
        {
            Pause(_accepting.SocketError);
            return false;
        }

        _backoff.Reset();
        HandOver(_accepting.AcceptSocket!);
        return true;
    }

    private void HandOver(Socket socket)
    {
        try
        {
            socket.Blocking = false;
            SocketSetup.PrepareConnected(socket);
        }
        catch (SocketException)
        {
            socket.Dispose(); // the peer has already closed the connection
            return;
        }

        var link = new SocketLink(socket);
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

    private void Pause(SocketError error)
    {
        var pause = _backoff.Next();
        SocketTransportLog.AcceptFailed(_logger, Address, error, pause);
        if (_resume is { } resume) resume.Change(pause, Timeout.InfiniteTimeSpan);
        else Volatile.Write(ref _resume, _timeProvider.CreateTimer(Resume, this, pause, Timeout.InfiniteTimeSpan));
        if (_disposed) _resume.Dispose(); // Dispose may have run before the timer was stored

        static void Resume(object? self) => ((SocketTransportListener)self!).Run();
    }
}
