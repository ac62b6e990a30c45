using System.Net;
using System.Net.Sockets;
using BeetleX;
using BeetleX.EventArgs;
using Microsoft.Extensions.Logging;
using Mux.Addresses;
using Mux.Transports.Sockets;

namespace Mux.Transports.BeetleX;

/// <summary>
/// Accepts links at one address until disposed: a server of BeetleX, and the supervision that it lacks. Ten failed accepts in a row end its loop for good, and
/// it tries without a pause, so running out of handles for a moment is enough.
/// </summary>
internal sealed class BeetleXListener : ITransportListener
{
    // BeetleX says that something failed before it says that it gave up, on another thread: looked at a little later, and once more if nothing has changed.
    private static readonly TimeSpan s_beforeLook = TimeSpan.FromMilliseconds(10);

    private readonly Action<Link> _accepted;
    private readonly ILogger _logger;
    private readonly IServer _server;
    private readonly ListenHandler _listen;
    private readonly ITimer _look;
    private readonly Lock _gate = new(); // guards all below but the count
    private AcceptBackoff _backoff;
    private bool _isReopening;
    private bool _disposed;
    private int _users = 1; // the listener, and every session

    /// <exception cref="IOException">The address cannot be listened at.</exception>
    public BeetleXListener(MuxAddress address, Action<Link> accepted, ILogger logger, TimeProvider timeProvider)
    {
        _accepted = accepted;
        _logger = logger;
        var endPoint = Resolve(address);
        _server = SocketFactory.CreateTcpServer(new SessionHandler(this), null, MakeOptions(endPoint));
        _server.WriteLogo = static () => { };
        _listen = _server.Options.DefaultListen;

        // What runs for the listener from now on knows nothing of this thread's ExecutionContext.
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

        _listen.Port = ((IPEndPoint)_listen.Socket.LocalEndPoint!).Port; // also for opening again
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

    /// <summary>A session was accepted. BeetleX begins to receive after this returns.</summary>
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

    /// <summary>A session is over.</summary>
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
        // Its pools stay empty: links bring their own buffers.
        var options = new ServerOptions
        {
            BufferSize = LooseBuffer.Size,
            BufferPoolSize = 0,
            BufferPoolGroups = 1,
            Statistical = false,
            LogLevel = LogType.Error,
            UseIPv6 = true,
        };
        options.DefaultListen.Host = endPoint.Address.Equals(IPAddress.IPv6Any) ? string.Empty : endPoint.Address.ToString(); // empty is any of both families
        options.DefaultListen.Port = endPoint.Port;
        return options;
    }

    /// <summary>The timer's: whether BeetleX still accepts, and otherwise that it does again.</summary>
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

    /// <summary>The last to go stops the timers of the server's pools, which nothing else stops.</summary>
    private void Release()
    {
        if (Interlocked.Decrement(ref _users) != 0) return;
        _server.ReceiveBufferPool?.Next().Dispose();
        _server.SendBufferPool?.Next().Dispose();
        _server.Dispose();
    }
}
