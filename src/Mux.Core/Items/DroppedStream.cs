namespace Mux.Items;

/// <summary>Ends streams that cannot be read any more.</summary>
internal static class DroppedStream
{
    /// <summary>From a finalizer, whose thread must not run user code: the end of a call is told to listeners of meters and spans.</summary>
    public static void End<T>(IStreamReader<T> reader) => ThreadPool.UnsafeQueueUserWorkItem(static reader => reader.Drop(), reader, preferLocal: false);
}
