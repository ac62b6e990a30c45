using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>Writes, for generated code, the fields that an <c>IExtensible</c> of protobuf-net keeps and returns as a stream.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ExtensionData
{
    private const int StreamChunk = 512;

    /// <summary>Writes the rest of a stream unchanged: fields that a message does not know and has kept.</summary>
    public static void WriteStream(this ref MessageWriter writer, Stream source)
    {
        int count;
        while ((count = source.Read(writer.GetSpan(StreamChunk))) > 0) writer.Advance(count);
    }
}
