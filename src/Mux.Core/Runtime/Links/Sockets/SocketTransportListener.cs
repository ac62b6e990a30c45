using System.Net;
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

/// <summary>Creates listening sockets.</summary>
internal static class ListeningSocket
{
    // Bursts of connects wait here until the listener accepts them; the system may allow less (net.core.somaxconn).
    private const int Backlog = 4096;

    // The first timer of a process starts the runtime's timer thread. Create one now: a listener sets a timer when it runs out of handles, and the thread could
    // no longer start then, which would end the process.
    private static readonly ITimer s_firstTimer = CreateTimer();

    /// <summary>Creates a timer without the AsyncLocals of its caller: it lives as long as the process, and would keep the context of that code.</summary>
    internal static ITimer CreateTimer()
    {
        using AsyncFlowControl? flow = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        return TimeProvider.System.CreateTimer(static _ => { }, null, TimeSpan.Zero, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Binds a socket to an address and listens; port 0 picks a free port.</summary>
    /// <returns>The socket, and the address with the actual port.</returns>
    /// <exception cref="IOException">The bind failed; the message names the address and the reason.</exception>
    public static (Socket Socket, MuxAddress Address) Bind(MuxAddress address, SocketSetup setup)
    {
        GC.KeepAlive(s_firstTimer);
        Socket? socket = null;
        try
        {
            var endPoint = SocketEndPoints.ResolveLocal(address);
            socket = setup.Create(endPoint);
            if (endPoint is UnixDomainSocketEndPoint file) UnixSocketFile.RemoveIfDead(file, address.Path);
            if (endPoint is IPEndPoint ip && ip.Address.Equals(IPAddress.IPv6Any)) socket.DualMode = true;
            socket.Bind(endPoint);
            socket.Listen(Backlog);
            return (socket, socket.LocalEndPoint is IPEndPoint bound ? address.WithPort(bound.Port) : address);
        }
        catch (SocketException e)
        {
            socket?.Dispose();
            bool isMissingFolder = address.Scheme == MuxAddress.UnixScheme && e.SocketErrorCode is SocketFailure.NoSuchFile;
            throw new IOException($"Cannot listen at {address}: {(isMissingFolder ? "no such folder" : SocketFailure.Describe(e.SocketErrorCode))}.", e);
        }
        catch (IOException e)
        {
            socket?.Dispose();
            throw new IOException($"Cannot listen at {address}: {e.Message}", e);
        }
    }
}

/// <summary>Log messages of the socket transport. Users filter by event name, so the names do not change.</summary>
internal static partial class SocketTransportLog
{
    [LoggerMessage(EventIds.AcceptFailed, LogLevel.Warning, "Accepting at {Address} failed ({Error}); trying again in {Pause}.", EventName = "AcceptFailed")]
    public static partial void AcceptFailed(ILogger logger, MuxAddress address, SocketError error, TimeSpan pause);

    [LoggerMessage(EventIds.AcceptedCallbackFailed, LogLevel.Error, "The callback for a link accepted at {Address} failed; the link was closed.",
        EventName = "AcceptedCallbackFailed")]
    public static partial void AcceptedCallbackFailed(ILogger logger, Exception exception, MuxAddress address);
}
