using Mux.Runtime;

namespace Mux.Calls;

/// <summary>Streams that their consumer has dropped, or disposed while it read.</summary>
internal static class DroppedStream
{
    /// <summary>
    /// Ends a stream from a finalizer. Runs on the .NET pool, because the end of a call runs listeners of meters and spans, which a finalizer's thread must not
    /// run.
    /// </summary>
    public static void End<T>(IStreamReader<T> reader) => EnginePool.Queue(static reader => reader.Drop(), reader);

    /// <summary>Creates the exception of a read that waits when its stream is disposed.</summary>
    public static OperationCanceledException WhileRead() => new("The stream was disposed while a read of it waited.");
}
