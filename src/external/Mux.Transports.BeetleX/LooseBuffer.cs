using PinnedBuffer = BeetleX.Buffers.Buffer;

namespace Mux.Transports.BeetleX;

/// <summary>Creates buffers of BeetleX outside its pools.</summary>
/// <remarks>
/// When this side closes a connection, a pool of BeetleX loses the buffer of the pending receive, and it throws once it has lost as many as it may hold. A
/// buffer without a pool belongs to its link, and a lost one is garbage collected like any other object.
/// </remarks>
internal static class LooseBuffer
{
    /// <summary>Maximum number of bytes of one receive or send of BeetleX. An idle connection holds one buffer, a busy one up to five.</summary>
    public const int Size = 65_536;

    public static PinnedBuffer Create()
    {
        var buffer = new PinnedBuffer(Size);

        // The constructor pins it forever, and without a pool nothing frees it. The runtime pins memory of a socket operation as long as needed.
        buffer.GCHandle.Free();
        return buffer;
    }
}
