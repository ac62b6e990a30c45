using System.Buffers.Binary;
using System.Text;

namespace Mux.Description.Reading;

/// <summary>Reads the fields of one message of a descriptor.</summary>
/// <param name="bytes">The message.</param>
/// <param name="place">Name of the message for errors.</param>
internal ref struct WireReader(ReadOnlySpan<byte> bytes, string place)
{
    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private ReadOnlySpan<byte> _rest = bytes;

    /// <summary>Gets the number of the field that was read; 0 for a field that descriptors do not have.</summary>
    public int Field { get; private set; }

    /// <summary>Gets the value of a field that is a number.</summary>
    public ulong Number { get; private set; }

    /// <summary>Gets the value of a field that is a text, bytes or a message.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    private bool HasBytes { get; set; }

    /// <summary>Reads the next field.</summary>
    /// <returns>False at the end of the message.</returns>
    public bool Read()
    {
        if (_rest.IsEmpty) return false;
        ulong tag = ReadVarint();
        ulong number = tag >> 3;
        if (number is 0 or > DescriptionLimits.FieldNumber) DescriptionFault.Throw(place, $"has a field with number {number}; allowed are 1 to 536870911");
        Field = (int)number;
        Number = 0;
        Bytes = default;
        HasBytes = false;
        switch (tag & 7)
        {
            case 0:
                Number = ReadVarint();
                break;
            case 1:
                Number = BinaryPrimitives.ReadUInt64LittleEndian(Take(8));
                break;
            case 2:
                ulong length = ReadVarint();
                Bytes = Take(length);
                HasBytes = true;
                break;
            case 5:
                Number = BinaryPrimitives.ReadUInt32LittleEndian(Take(4));
                break;
            default:
                DescriptionFault.Throw(place, $"has field {number} with wire type {tag & 7}; descriptors have the types 0, 1, 2 and 5");
                break;
        }

        return true;
    }

    /// <summary>Gets the value of a field that must be a message or a text.</summary>
    public ReadOnlySpan<byte> Content()
    {
        if (!HasBytes) DescriptionFault.Throw(place, $"has a number in field {Field}, where a text or message must be");
        return Bytes;
    }

    /// <summary>Gets a text.</summary>
    public string Text()
    {
        try
        {
            return s_utf8.GetString(Content().ToArray());
        }
        catch (DecoderFallbackException)
        {
            DescriptionFault.Throw(place, $"has a text in field {Field} that is not UTF-8");
            throw;
        }
    }

    /// <summary>Gets a number within 32 bits.</summary>
    public int Int32()
    {
        if (HasBytes) DescriptionFault.Throw(place, $"has no number in field {Field}, where one must be");
        long value = unchecked((long)Number);
        if (value is < int.MinValue or > int.MaxValue) DescriptionFault.Throw(place, $"has {value} in field {Field}; allowed are 32 bits");
        return (int)value;
    }

    /// <summary>Gets a flag.</summary>
    public bool Flag() => Int32() != 0;

    /// <summary>Adds a number, or those of a block.</summary>
    /// <returns>False if there are more than the limit.</returns>
    public readonly bool AddNumbers(List<int> numbers, int limit)
    {
        var block = new WireReader(Bytes, place);
        if (!HasBytes) numbers.Add(unchecked((int)Number));
        while (HasBytes && !block._rest.IsEmpty && numbers.Count <= limit) numbers.Add(unchecked((int)block.ReadVarint()));
        return numbers.Count <= limit;
    }

    private ulong ReadVarint()
    {
        if (!_rest.IsEmpty && _rest[0] <= 0x7F)
        {
            byte single = _rest[0];
            _rest = _rest.Slice(1);
            return single;
        }

        ulong value = 0;
        for (int i = 0; i < _rest.Length && i < 10; i++)
        {
            value |= (ulong)(_rest[i] & 0x7F) << (7 * i);
            if (_rest[i] > 0x7F) continue;
            _rest = _rest.Slice(i + 1);
            return value;
        }

        DescriptionFault.Throw(place, "has a number that does not end after 10 bytes or before its own end");
        return 0;
    }

    private ReadOnlySpan<byte> Take(ulong length)
    {
        if (length > (ulong)_rest.Length) DescriptionFault.Throw(place, $"has a field of {length} bytes, but only {_rest.Length} bytes are left");
        var taken = _rest.Slice(0, (int)length);
        _rest = _rest.Slice((int)length);
        return taken;
    }
}
