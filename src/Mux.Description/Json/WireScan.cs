using System.Buffers.Binary;
using Mux.Description.Reading;

namespace Mux.Description.Json;

/// <summary>
/// Moves over the fields of one message. Unlike <see cref="WireReader"/> it knows groups, skips without reading, and may be moved; the reader of
/// generated code refuses the same bytes, but gives no spans to other assemblies.
/// </summary>
internal ref struct WireScan(ReadOnlySpan<byte> bytes)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private int _position;

    /// <summary>Gets or sets the number of bytes before the next one.</summary>
    public int Position
    {
        readonly get => _position;
        set => _position = value;
    }

    public readonly bool IsAtEnd => _position >= _bytes.Length;

    /// <summary>Reads the number and wire type of the next field; 0 at the end.</summary>
    public uint ReadTag()
    {
        if (IsAtEnd) return 0;
        ulong tag = _bytes[_position];
        if (tag < 0x80) _position++;
        else tag = ReadVarint();
        if (tag is < 8 or > uint.MaxValue) JsonFault.Throw($"has field {tag >> 3} at byte {_position}; allowed are 1 to 536870911");
        return (uint)tag;
    }

    public ulong ReadVarint()
    {
        ulong value = 0;
        var rest = _bytes[_position..];
        int length = Math.Min(rest.Length, 10);
        for (int i = 0; i < length; i++)
        {
            ulong next = rest[i];
            value |= (next & 0x7F) << (7 * i);
            if (next > 0x7F) continue;
            if (i == 9 && next > 1) break;
            _position += i + 1;
            return value;
        }

        JsonFault.Throw($"has a number at byte {_position} that is cut or larger than 64 bits");
        return 0;
    }

    /// <summary>Reads a number of a wire type.</summary>
    public ulong ReadNumber(uint wire) => wire switch
    {
        0 => ReadVarint(),
        1 => BinaryPrimitives.ReadUInt64LittleEndian(Take(8)),
        _ => BinaryPrimitives.ReadUInt32LittleEndian(Take(4)),
    };

    /// <summary>Reads a block with its length in front, or the content of a group.</summary>
    public ReadOnlySpan<byte> ReadBlock(uint tag)
    {
        if ((tag & 7) == 2) return Take(ReadVarint());
        int start = _position;
        int end = SkipGroup(tag, depth: 1);
        return _bytes[start..end];
    }

    /// <summary>Skips the value of a field.</summary>
    public void Skip(uint tag) => Skip(tag, depth: 1);

    private void Skip(uint tag, int depth)
    {
        switch (tag & 7)
        {
            case 0:
                ReadVarint();
                break;
            case 1:
                Take(8);
                break;
            case 2:
                Take(ReadVarint());
                break;
            case 3:
                SkipGroup(tag, depth);
                break;
            case 5:
                Take(4);
                break;
            default:
                JsonFault.Throw(
                    $"has field {tag >> 3} with wire type {tag & 7} before byte {_position}; allowed are 0, 1, 2, 3 and 5, and 4 at the end of a group");
                break;
        }
    }

    // Returns where the end begins.
    private int SkipGroup(uint tag, int depth)
    {
        if (depth > DescriptionLimits.Depth) JsonFault.Throw($"has groups nested deeper than allowed; allowed are {DescriptionLimits.Depth}");
        while (true)
        {
            int at = _position;
            uint next = ReadTag();
            if (next == tag + 1) return at;
            if (next == 0) JsonFault.Throw($"has a group in field {tag >> 3} that has no end");
            Skip(next, depth + 1);
        }
    }

    private ReadOnlySpan<byte> Take(ulong length)
    {
        if (length > (ulong)(_bytes.Length - _position))
            JsonFault.Throw($"has a value of {length} bytes at byte {_position}, but {_bytes.Length - _position} bytes are left");
        _position += (int)length;
        return _bytes.Slice(_position - (int)length, (int)length);
    }
}
