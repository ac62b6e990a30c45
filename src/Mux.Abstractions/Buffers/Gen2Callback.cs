using System.Runtime.ConstrainedExecution;

namespace Mux.Buffers;

/// <summary>Calls back after each full garbage collection: an object without references, whose finalizer makes it live until the next one.</summary>
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
            // A finalizer that throws ends the process, and this only saves memory.
        }

        if (!Environment.HasShutdownStarted) GC.ReRegisterForFinalize(this);
    }

    /// <param name="target">Lives as long as the process.</param>
    /// <param name="callback">On the thread of finalizers: it must not block.</param>
    public static void Register<T>(T target, Action<T> callback) => _ = new Gen2Callback(() => callback(target));
}
