namespace Mux.Discovery.Kubernetes.Api;

/// <summary>Cancels what waits for the API server once nothing has arrived for a time. Connections that died without a word wait for ever otherwise.</summary>
internal sealed class SilenceLimit : IDisposable
{
    private readonly TimeSpan _atMost;
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _silence;
    private readonly CancellationTokenSource _either;

    public SilenceLimit(TimeProvider time, TimeSpan atMost, CancellationToken caller)
    {
        _atMost = atMost;
        _caller = caller;
        _silence = new CancellationTokenSource(atMost, time);
        _either = CancellationTokenSource.CreateLinkedTokenSource(caller, _silence.Token);
    }

    /// <summary>Cancelled by the caller, or after silence.</summary>
    public CancellationToken Token => _either.Token;

    /// <summary>True if the time is over and the caller still waits.</summary>
    public bool IsOver => _silence.IsCancellationRequested && !_caller.IsCancellationRequested;

    /// <summary>Something has arrived.</summary>
    public void Restart() => _silence.CancelAfter(_atMost);

    public void Dispose()
    {
        _either.Dispose();
        _silence.Dispose();
    }
}
