namespace Mux.Runtime;

/// <summary>Is told how long work of the process waits for a thread.</summary>
internal interface IQueueListener
{
    /// <summary>Receives a look. On the monitor's thread, which must not wait: nothing here may block, and no user code may run.</summary>
    /// <param name="now">Time of the look, in microseconds since an arbitrary start.</param>
    /// <param name="queued">Microseconds for which the oldest request has waited for a worker; 0 if none waits.</param>
    /// <param name="round">
    /// Microseconds that input waits at most for a receiving loop: at half of the loops that had input since the last look, or more, a round takes at least
    /// this long. 0 if they rested in between.
    /// </param>
    void OnLook(long now, long queued, long round);
}
