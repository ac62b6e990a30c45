using System.Buffers;
using System.ComponentModel;

namespace Mux.Buffers;

/// <summary>The arrays that messages and connections use. Safe for concurrent use.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MessageMemory
{
    /// <summary>
    /// The pool of these arrays. It gives memory back to the system when arrays have not been used for 10 seconds, which <see cref="ArrayPool{T}.Shared"/> does
    /// not: a burst of large messages does not hold memory afterwards. An array may be returned to either pool.
    /// </summary>
    public static ArrayPool<byte> Pool { get; } = new MessageArrayPool();
}
