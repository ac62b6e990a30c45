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
