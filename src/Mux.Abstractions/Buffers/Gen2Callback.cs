using System.Runtime.ConstrainedExecution;

namespace Mux.Buffers;

/// <summary>Calls back after each full garbage collection: its finalizer runs because nothing references it, and resurrects it.</summary>
internal sealed class Gen2Callback : CriticalFinalizerObject
{
    private readonly Action _callback;

    private Gen2Callback(Action callback) => _callback = callback;

#pragma warning disable MA0055 // the finalizer is the callback
    ~Gen2Callback()
#pragma warning restore MA0055
    {
        try
        {
            _callback();
        }
        catch (Exception)
        {
            // an exception in a finalizer would end the process, and the callback only saves memory
        }

        if (!Environment.HasShutdownStarted) GC.ReRegisterForFinalize(this);
    }

    /// <param name="target">Must live as long as the process.</param>
    /// <param name="callback">Runs on the finalizer thread: it must not block.</param>
    public static void Register<T>(T target, Action<T> callback) => _ = new Gen2Callback(() => callback(target));
}
