using System.Net;
using System.Net.Sockets;
using BeetleX;
using BeetleX.EventArgs;
using Microsoft.Extensions.Logging;
using Mux.Runtime;

namespace Mux.Transports.BeetleX;

/// <summary>
/// Accepts links at one address until disposed: runs a server of BeetleX and supervises it. BeetleX retries failed accepts without a pause, and ends its loop
/// for good after ten failures in a row: running out of handles for a moment is enough.
/// </summary>
internal sealed class BeetleXListener : ITransportListener
{
    // BeetleX reports a failure before it reports, on another thread, that its loop has ended: so check a little later, and again if nothing has changed.
    private static readonly TimeSpan s_beforeLook = TimeSpan.FromMilliseconds(10);

    private readonly Action<Link> _accepted;
    private readonly ILogger _logger;
    private readonly IServer _server;
    private readonly ListenHandler _listen;
    private readonly ITimer _look;
    private readonly Lock _gate = new(); // guards the fields below except the count
    private AcceptBackoff _backoff;
    private bool _isReopening;
    private bool _disposed;
    private int _users = 1; // the listener and each session

    /// <exception cref="IOException">The listener cannot listen at the address.</exception>
    public BeetleXListener(MuxAddress address, Action<Link> accepted, ILogger logger, TimeProvider timeProvider)
    {
        _accepted = accepted;
        _logger = logger;
        var endPoint = Resolve(address);
        _server = SocketFactory.CreateTcpServer(new SessionHandler(this), null, MakeOptions(endPoint));
        _server.WriteLogo = static () => { };
        _listen = _server.Options.DefaultListen;

        // Code that runs for the listener must not get this thread's ExecutionContext.
        using (ExecutionContext.IsFlowSuppressed() ? default(AsyncFlowControl?) : ExecutionContext.SuppressFlow())
        {
            _look = timeProvider.CreateTimer(static self => ((BeetleXListener)self!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _server.Open();
        }

        if (_listen.Error is { } error)
        {
            Dispose();
            var reason = error is SocketException socket ? SocketFailure.Describe(socket.SocketErrorCode) : error.Message;
            throw new IOException($"Cannot listen at {address}: {reason}.", error);
        }

        _listen.Port = ((IPEndPoint)_listen.Socket.LocalEndPoint!).Port; // for reopening too
        Address = address.WithPort(_listen.Port);
    }

    public MuxAddress Address { get; }

    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed) return;
            _disposed = true;
            _listen.Dispose();
        }

        _look.Dispose();
        Release();
    }

    /// <summary>A session was accepted. BeetleX starts to receive after this returns.</summary>
    public void OnConnected(ISession session)
    {
        Interlocked.Increment(ref _users);
        bool disposed;
        lock (_gate)
        {
            _backoff.Reset();
            disposed = _disposed;
        }

        var link = new BeetleXLink();
        var port = new SessionPort(link, session);
        session.ReceiveBufferPool = new ReceiveSlot();
        session.SocketProcessHandler = port;
        link.Attach(port);
        if (disposed || !ConnectedSocket.TryPrepare(session.Socket))
        {
            link.Close();
            return;
        }

        try
        {
            _accepted(link);
        }
        catch (Exception e)
        {
            link.Close();
            BeetleXTransportLog.AcceptedCallbackFailed(_logger, e, Address);
        }
    }

    /// <summary>A session has ended.</summary>
    public void OnDisconnected() => Release();

    /// <summary>An accept failed.</summary>
    public void OnTrouble()
    {
        lock (_gate)
        {
            if (!_disposed && !_isReopening) _look.Change(s_beforeLook, Timeout.InfiniteTimeSpan);
        }
    }

    private static IPEndPoint Resolve(MuxAddress address)
    {
        try
        {
            return (IPEndPoint)SocketEndPoints.ResolveLocal(address);
        }
        catch (SocketException e)
        {
            throw new IOException($"Cannot listen at {address}: {SocketFailure.Describe(e.SocketErrorCode)}.", e);
        }
    }

    private static ServerOptions MakeOptions(IPEndPoint endPoint)
    {
        // The pools of the server stay empty: links have their own buffers.
        var options = new ServerOptions
        {
            BufferSize = LooseBuffer.Size,
            BufferPoolSize = 0,
            BufferPoolGroups = 1,
            Statistical = false,
            LogLevel = LogType.Error,
            UseIPv6 = true,
        };
        options.DefaultListen.Host = endPoint.Address.Equals(IPAddress.IPv6Any) ? string.Empty : endPoint.Address.ToString(); // empty: both families
        options.DefaultListen.Port = endPoint.Port;
        return options;
    }

    /// <summary>Called by the timer: checks whether BeetleX still accepts, and reopens it otherwise.</summary>
    private void Look()
    {
        lock (_gate)
        {
            if (_disposed || _listen.Error is not { } error) return;
            bool gaveUp = _server.Status == ServerStatus.Error;
            if (!_isReopening && !gaveUp)
            {
                _listen.Error = null;
                _look.Change(s_beforeLook, Timeout.InfiniteTimeSpan);
                return;
            }

            if (!_isReopening)
            {
                _isReopening = true;
                PauseLocked(error);
                return;
            }

            ReopenLocked();
        }
    }

    private void ReopenLocked()
    {
        _listen.Socket.Dispose();
        _listen.Error = null;
        _isReopening = false;
        _server.Open();
        if (_listen.Error is not { } error) return;
        _isReopening = true;
        PauseLocked(error);
    }

    private void PauseLocked(Exception error)
    {
        var pause = _backoff.Next();
        BeetleXTransportLog.AcceptFailed(_logger, Address, (error as SocketException)?.SocketErrorCode ?? SocketError.SocketError, pause);
        _look.Change(pause, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The last user stops the timers of the server's pools, which nothing else stops.</summary>
    private void Release()
    {
        if (Interlocked.Decrement(ref _users) != 0) return;
        _server.ReceiveBufferPool?.Next().Dispose();
        _server.SendBufferPool?.Next().Dispose();
        _server.Dispose();
    }
}
