using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>Reads messages without known fields, for generated code: requests without arguments and replies without a result.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class EmptyMessage
{
    /// <summary>Skips all fields that a newer peer may have sent.</summary>
    /// <param name="body">The message.</param>
    /// <param name="name">Name of the message, for errors.</param>
    /// <exception cref="InvalidMessageException">The bytes are not a message.</exception>
    public static MuxUnit Read(ReadOnlySpan<byte> body, string name)
    {
        if (body.IsEmpty) return default;
        var reader = new MessageReader(body, name);
        uint tag;
        while ((tag = reader.ReadTag()) != 0) reader.Skip(tag);
        return default;
    }
}
