using PinnedBuffer = BeetleX.Buffers.Buffer;

namespace Mux.Transports.BeetleX;

/// <summary>Makes BeetleX's buffers outside its pools.</summary>
/// <remarks>
/// A pool of BeetleX loses the buffer of every receive that is pending when its connection is closed on this side, and throws once it has lost as many as it
/// may hold. A buffer without a pool belongs to its link, and one that is lost is garbage like any other object.
/// </remarks>
internal static class LooseBuffer
{
    /// <summary>How much one receive or one send of BeetleX moves at most. An idle connection holds one buffer, a busy one up to five.</summary>
    public const int Size = 65_536;

    public static PinnedBuffer Create()
    {
        var buffer = new PinnedBuffer(Size);

        // Pinned for ever by its constructor, and freed by nobody when there is no pool. The runtime pins what a socket works on for as long as that takes.
        buffer.GCHandle.Free();
        return buffer;
    }
}
