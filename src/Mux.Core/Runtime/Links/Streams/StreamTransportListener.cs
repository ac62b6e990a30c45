using Microsoft.Extensions.Logging;
using Mux.Transports;
using Mux.Transports.Streams;

namespace Mux.Runtime;

/// <summary>Accepts links at one address until it is disposed, despite errors. Runs one loop on the thread pool.</summary>
internal sealed class StreamTransportListener : ITransportListener, IThreadPoolWorkItem
{
    private readonly IStreamListener _listener;
    private readonly Action<Link> _accepted;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
#pragma warning disable CA2213 // The source has no timer and no wait handle: there is nothing to dispose.
    private readonly CancellationTokenSource _stopping = new();
#pragma warning restore CA2213

    public StreamTransportListener(IStreamListener listener, Action<Link> accepted, ILogger logger, TimeProvider timeProvider)
    {
        _listener = listener;
        _accepted = accepted;
        _logger = logger;
        _timeProvider = timeProvider;
        Address = listener.Address;

        // On another thread: the callback must not run before Listen returns, nor in this thread's ExecutionContext.
        EnginePool.Queue(this);
    }

    public MuxAddress Address { get; }

    public void Dispose()
    {
        _ = _stopping.CancelAsync();
        _listener.Dispose();
    }

    void IThreadPoolWorkItem.Execute() => _ = AcceptAsync();

    private async Task AcceptAsync()
    {
        var backoff = default(AcceptBackoff);
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                var connection = await _listener.AcceptAsync(_stopping.Token).ConfigureAwait(false);
                backoff.Reset();
                HandOver(connection);
            }
            catch (Exception error)
            {
                if (_stopping.IsCancellationRequested) return;
                var pause = backoff.Next();
                StreamTransportLog.StreamAcceptFailed(_logger, error, Address, pause);
                await Task.Delay(pause, _timeProvider, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    private void HandOver(StreamConnection connection)
    {
        var link = new StreamLink(connection);
        try
        {
            if (_stopping.IsCancellationRequested) link.Close();
            else _accepted(link);
        }
        catch (Exception e)
        {
            link.Close();
            StreamTransportLog.StreamCallbackFailed(_logger, e, Address);
        }
    }
}

/// <summary>Log messages of transports over streams. Users filter by event name, so the names do not change.</summary>
internal static partial class StreamTransportLog
{
    [LoggerMessage(EventIds.StreamAcceptFailed, LogLevel.Warning, "Accepting at {Address} failed; trying again in {Pause}.", EventName = "StreamAcceptFailed")]
    public static partial void StreamAcceptFailed(ILogger logger, Exception exception, MuxAddress address, TimeSpan pause);

    [LoggerMessage(EventIds.StreamCallbackFailed, LogLevel.Error, "The callback for a link accepted at {Address} failed; the link was closed.",
        EventName = "StreamCallbackFailed")]
    public static partial void StreamCallbackFailed(ILogger logger, Exception exception, MuxAddress address);
}

/// <summary>Connects for one dialed link, once.</summary>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class StreamDialer(Func<MuxAddress, CancellationToken, ValueTask<StreamConnection>> connect, MuxAddress address)
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _cancellation = new();

    /// <summary>Ends <see cref="ConnectAsync"/> soon, at any stage. Never runs its continuation on the calling thread.</summary>
    public void Cancel() => _ = _cancellation.CancelAsync();

    /// <exception cref="IOException">The connect failed; the message names the address and the reason.</exception>
    /// <exception cref="OperationCanceledException"><see cref="Cancel"/> was called.</exception>
    public async Task<StreamConnection> ConnectAsync()
    {
        try
        {
            return await connect(address, _cancellation.Token).ConfigureAwait(false)
                ?? throw new InvalidOperationException("the transport returned no connection");
        }
        catch (Exception e) when (e is not OperationCanceledException || !_cancellation.IsCancellationRequested)
        {
            var what = $"Cannot connect to {address}: ";
            var reason = e.Message.StartsWith(what, StringComparison.Ordinal) ? e.Message[what.Length..] : e.Message; // a socket dialer already adds the prefix
            throw new IOException($"{what}{reason.TrimEnd('.')}.", e);
        }
    }
}
