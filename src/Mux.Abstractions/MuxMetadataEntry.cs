using System.Text;

namespace Mux;

/// <summary>One entry of <see cref="MuxMetadata"/>.</summary>
public readonly struct MuxMetadataEntry
{
    internal MuxMetadataEntry(string key, ReadOnlyMemory<byte> bytes)
    {
        Key = key;
        Bytes = bytes;
    }

    /// <summary>Gets the key.</summary>
    public string Key { get; }

    /// <summary>Gets the value as it is sent.</summary>
    public ReadOnlyMemory<byte> Bytes { get; }

    /// <summary>Gets the value as UTF-8 text; invalid bytes become U+FFFD.</summary>
    public string Text => Encoding.UTF8.GetString(Bytes.Span);

    /// <summary>Returns the key and the text.</summary>
    public override string ToString() => $"{Key}: {Text}";
}
