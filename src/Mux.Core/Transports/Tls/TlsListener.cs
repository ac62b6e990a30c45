using System.Net.Sockets;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Mux.Diagnostics;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;

namespace Mux.Transports.Tls;

/// <summary>
/// Accepts sockets and hands out those whose handshake has succeeded. Every handshake runs on the thread pool: a peer that is slow, or says nothing, holds up nobody. Both the handshakes
/// under way and the connections that were not taken yet have a place of <see cref="TlsServerOptions.MaxPendingHandshakes"/>.
/// </summary>
internal sealed class TlsListener : IStreamListener
{
    private readonly Socket _socket;
    private readonly ServerHandshake _handshake;
    private readonly TimeSpan _timeout;
    private readonly int _places;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private readonly RateLimit _refusals = new(); // one event per second and kind: a crowd must not fill the logs
    private readonly RateLimit _failures = new();
    private readonly Channel<StreamConnection> _finished; // never full: every connection in it has a place
#pragma warning disable CA2213 // It has no timer and no wait handle: there is nothing to dispose.
    private readonly CancellationTokenSource _stopping = new();
#pragma warning restore CA2213
    private Task? _accepting; // of AcceptAsync, as is the next: both outlive a call
    private Task<bool>? _waiting;
    private int _taken; // places

    public TlsListener(Socket socket, MuxAddress address, ServerHandshake handshake, TlsServerOptions options, ILogger logger, TimeProvider timeProvider)
    {
        _socket = socket;
        Address = address;
        _handshake = handshake;
        _timeout = options.HandshakeTimeout;
        _places = options.MaxPendingHandshakes;
        _logger = logger;
        _timeProvider = timeProvider;
        _finished = Channel.CreateBounded<StreamConnection>(_places);
    }

    public MuxAddress Address { get; }

    private long Now => _timeProvider.GetTimestamp() / (_timeProvider.TimestampFrequency / 1_000_000); // microseconds

    public async ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            _waiting ??= _finished.Reader.WaitToReadAsync(cancellationToken).AsTask();
            _accepting ??= Observed(TakeAsync(cancellationToken));
            await Task.WhenAny(_waiting, _accepting).ConfigureAwait(false);
            if (_finished.Reader.TryRead(out var connection))
            {
                Interlocked.Decrement(ref _taken);
                return connection;
            }

            if (_waiting.IsCompleted)
            {
                ObjectDisposedException.ThrowIf(_waiting.IsCanceled || !await _waiting.ConfigureAwait(false), this);
                _waiting = null;
            }

            if (!_accepting.IsCompleted) continue;
            var accepting = _accepting;
            _accepting = null;
            await accepting.ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        _ = _stopping.CancelAsync(); // ends the handshakes
        _socket.Dispose();
        _finished.Writer.TryComplete();
        while (_finished.Reader.TryRead(out var connection)) connection.DisposeStreams();
    }

    private void Begin(Socket socket)
    {
        if (Interlocked.Increment(ref _taken) <= _places)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static state => _ = state.Listener.RunAsync(state.Socket), (Listener: this, Socket: socket), preferLocal: false);
            return;
        }

        Interlocked.Decrement(ref _taken);
        if (_refusals.TryPass(Now, out int others)) TlsLog.HandshakeRefused(_logger, SocketEndPoints.DescribeRemote(socket), Address, _places, others);
        socket.Dispose();
    }

    private async Task RunAsync(Socket socket)
    {
        var remoteAddress = SocketEndPoints.DescribeRemote(socket);
        using var limit = new CancellationTokenSource(_timeout, _timeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, _stopping.Token);
        try
        {
            SocketSetup.PrepareConnected(socket);
            socket.Blocking = true; // a NetworkStream asks for it; the operations stay asynchronous
            var connection = await _handshake.RunAsync(socket, remoteAddress, either.Token).ConfigureAwait(false);
            if (_finished.Writer.TryWrite(connection)) return;
            connection.DisposeStreams();
        }
        catch (Exception e)
        {
            socket.Dispose();
            if (!_stopping.IsCancellationRequested && _failures.TryPass(Now, out int others))
                TlsLog.HandshakeFailed(_logger, remoteAddress, Address, limit.IsCancellationRequested ? $"it took longer than {_timeout}" : TlsProtocol.Describe(e), others);
        }

        Interlocked.Decrement(ref _taken);
    }

    /// <summary>Takes one socket, which is the handshake's at once: the listener may be disposed before anybody looks.</summary>
    private async Task TakeAsync(CancellationToken cancellationToken) => Begin(await _socket.AcceptAsync(cancellationToken).ConfigureAwait(false));

    /// <summary>An accept that fails while the listener is disposed has nobody who waits for it.</summary>
    private static Task Observed(Task accepting)
    {
        _ = accepting.ContinueWith(static ended => _ = ended.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        return accepting;
    }
}
