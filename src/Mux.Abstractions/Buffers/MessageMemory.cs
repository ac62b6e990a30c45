using System.Buffers;
using System.ComponentModel;

namespace Mux.Buffers;

/// <summary>Provides the arrays of messages and connections. Safe for concurrent use.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MessageMemory
{
    /// <summary>
    /// Gets the pool of these arrays. Unlike <see cref="ArrayPool{T}.Shared"/>, it returns memory to the system when arrays have not been used for 10 seconds:
    /// a burst of large messages does not hold memory afterwards. An array may be returned to either pool.
    /// </summary>
    public static ArrayPool<byte> Pool { get; } = new MessageArrayPool(keepsForThreads: true);
}
