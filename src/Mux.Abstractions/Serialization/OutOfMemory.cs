using System.ComponentModel;

namespace Mux.Serialization;

/// <summary>For the engine: tells messages that failed for lack of memory from those that are wrong.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class OutOfMemory
{
    /// <summary>Gets whether the process had no memory for a message. That says nothing about the message.</summary>
    /// <param name="error">What its codec has thrown; null if it has not.</param>
    public static bool Is(Exception? error) => error is OutOfMemoryException;

    /// <summary>Gets the status of a message that could not be decoded or encoded.</summary>
    /// <param name="error">What its codec has thrown; null if it has not.</param>
    /// <param name="status">The status of a message for which there was memory.</param>
    public static MuxStatus StatusOr(Exception? error, MuxStatus status) => Is(error) ? MuxStatus.ResourceExhausted : status;
}
