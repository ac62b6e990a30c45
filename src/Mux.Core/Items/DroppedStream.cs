namespace Mux.Items;

/// <summary>Ends streams that their consumer has dropped.</summary>
internal static class DroppedStream
{
    /// <summary>
    /// Ends a stream from a finalizer. Runs on the .NET pool, because the end of a call runs listeners of meters and spans, which a finalizer's thread must not
    /// run.
    /// </summary>
    public static void End<T>(IStreamReader<T> reader) => ThreadPool.UnsafeQueueUserWorkItem(static reader => reader.Drop(), reader, preferLocal: false);
}
