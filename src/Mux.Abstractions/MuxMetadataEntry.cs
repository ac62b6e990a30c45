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

    /// <summary>The key.</summary>
    public string Key { get; }

    /// <summary>The value as it travels.</summary>
    public ReadOnlyMemory<byte> Bytes { get; }

    /// <summary>The value as UTF-8; what is no UTF-8 becomes U+FFFD.</summary>
    public string Text => Encoding.UTF8.GetString(Bytes.Span);

    /// <summary>Key and text.</summary>
    public override string ToString() => $"{Key}: {Text}";
}
