using Mux.Serialization;
using Mux.Serialization.Raw;

namespace Mux.Forwarding;

/// <summary>Moves messages of more than one frame from the array in which they arrived to the connection that sends them.</summary>
internal static class LargeBody
{
    /// <summary>Gets a message as one of a buffer, from which it is sent without a copy if it arrived in an array of its own.</summary>
    /// <param name="buffer">The buffer, which is empty.</param>
    /// <param name="body">A message that this thread decodes.</param>
    public static ReadOnlySpan<byte> Adopt(MessageBuffer buffer, ReadOnlySpan<byte> body)
    {
        var writer = buffer.CreateWriter();
        RawSerializer.Write(ref writer, RawSerializer.Read<PooledBytes>(body));
        return writer.Written;
    }
}
