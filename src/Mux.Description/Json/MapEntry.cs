namespace Mux.Description.Json;

/// <summary>An entry of a map. Key and value may be absent, and the last one counts.</summary>
internal ref struct MapEntry
{
    public long Key { get; private set; }

    /// <summary>Gets a key that is a text.</summary>
    public ReadOnlySpan<byte> Text { get; private set; }

    public ulong Value { get; private set; }

    /// <summary>Gets a value that is no number.</summary>
    public ReadOnlySpan<byte> Block { get; private set; }

    /// <summary>Gets the number of values.</summary>
    public int Values { get; private set; }

    public static MapEntry Read(JsonField map, ReadOnlySpan<byte> bytes)
    {
        var entry = default(MapEntry);
        var key = map.MapKey;
        var value = map.MapValue;
        var scan = new WireScan(bytes);
        uint tag;
        while ((tag = scan.ReadTag()) != 0)
        {
            if (tag == key.Tag)
            {
                if (key.Kind == FieldKind.String) entry.Text = scan.ReadBlock(tag);
                else entry.Key = Scalars.Normalize(key.Kind, scan.ReadNumber(tag & 7));
            }
            else if (tag == value.Tag)
            {
                entry.Values++;
                if (Scalars.IsNumber(value.Kind)) entry.Value = scan.ReadNumber(tag & 7);
                else entry.Block = scan.ReadBlock(tag);
            }
            else
            {
                scan.Skip(tag);
            }
        }

        return entry;
    }
}
