using System.ComponentModel;

namespace Mux.Serialization;

/// <summary>Reads messages of which nothing is known: requests without arguments and replies without a result, for generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class EmptyMessage
{
    /// <summary>Passes over whatever a newer peer has put there.</summary>
    /// <param name="body">The message.</param>
    /// <param name="name">For the texts of errors.</param>
    /// <exception cref="InvalidMessageException">The bytes are no message.</exception>
    public static MuxUnit Read(ReadOnlySpan<byte> body, string name)
    {
        if (body.IsEmpty) return default;
        var reader = new MessageReader(body, name);
        uint tag;
        while ((tag = reader.ReadTag()) != 0) reader.Skip(tag);
        return default;
    }
}
