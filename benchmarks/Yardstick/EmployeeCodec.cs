using System.Buffers.Binary;
using System.Text;

namespace Yardstick;

/// <summary>The two messages in protobuf, 11 and 49 bytes here, as a generator without ambition would write it.</summary>
internal static class EmployeeCodec
{
    /// <summary>More than either message ever takes.</summary>
    public const int MaxLength = 128;

    private const byte VarintField1 = 0x08;
    private const byte DoubleField2 = 0x11;
    private const byte DoubleField8 = 0x41;

    public static int Encode(SearchEmployee query, Span<byte> to)
    {
        int at = 0;
        WriteVarint(VarintField1, query.Id, to, ref at);
        WriteDouble(DoubleField2, query.RequestTime, to, ref at);
        return at;
    }

    public static int Encode(Employee employee, Span<byte> to)
    {
        int at = 0;
        WriteVarint(VarintField1, employee.EmployeeId, to, ref at);
        WriteText(0x12, employee.LastName, to, ref at);
        WriteText(0x1a, employee.FirstName, to, ref at);
        WriteText(0x22, employee.Title, to, ref at);
        WriteText(0x2a, employee.City, to, ref at);
        WriteText(0x32, employee.Region, to, ref at);
        WriteText(0x3a, employee.Country, to, ref at);
        WriteDouble(DoubleField8, employee.RequestTime, to, ref at);
        return at;
    }

    public static SearchEmployee DecodeSearchEmployee(ReadOnlySpan<byte> from)
    {
        var query = new SearchEmployee();
        for (int at = 0; at < from.Length;)
        {
            switch (from[at++])
            {
                case VarintField1: query.Id = ReadVarint(from, ref at); break;
                case DoubleField2: query.RequestTime = ReadDouble(from, ref at); break;
                default: throw new InvalidDataException("An unknown field.");
            }
        }

        return query;
    }

    public static Employee DecodeEmployee(ReadOnlySpan<byte> from)
    {
        var employee = new Employee();
        for (int at = 0; at < from.Length;)
        {
            switch (from[at++])
            {
                case VarintField1: employee.EmployeeId = ReadVarint(from, ref at); break;
                case 0x12: employee.LastName = ReadText(from, ref at); break;
                case 0x1a: employee.FirstName = ReadText(from, ref at); break;
                case 0x22: employee.Title = ReadText(from, ref at); break;
                case 0x2a: employee.City = ReadText(from, ref at); break;
                case 0x32: employee.Region = ReadText(from, ref at); break;
                case 0x3a: employee.Country = ReadText(from, ref at); break;
                case DoubleField8: employee.RequestTime = ReadDouble(from, ref at); break;
                default: throw new InvalidDataException("An unknown field.");
            }
        }

        return employee;
    }

    private static void WriteVarint(byte tag, int value, Span<byte> to, ref int at)
    {
        if (value == 0) return;
        to[at++] = tag;
        AppendVarint((uint)value, to, ref at);
    }

    private static void WriteDouble(byte tag, double value, Span<byte> to, ref int at)
    {
        if (value == 0) return;
        to[at] = tag;
        BinaryPrimitives.WriteDoubleLittleEndian(to[(at + 1)..], value);
        at += 1 + sizeof(double);
    }

    /// <summary>Up to 127 bytes: the length takes one.</summary>
    private static void WriteText(byte tag, string? value, Span<byte> to, ref int at)
    {
        if (value is null) return;
        int length = Encoding.UTF8.GetBytes(value, to[(at + 2)..]);
        to[at] = tag;
        to[at + 1] = (byte)length;
        at += 2 + length;
    }

    private static void AppendVarint(uint value, Span<byte> to, ref int at)
    {
        for (; value >= 0x80; value >>= 7) to[at++] = (byte)(value | 0x80);
        to[at++] = (byte)value;
    }

    private static int ReadVarint(ReadOnlySpan<byte> from, ref int at)
    {
        uint value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte part = from[at++];
            value |= (uint)(part & 0x7f) << shift;
            if (part < 0x80) return (int)value;
        }
    }

    private static double ReadDouble(ReadOnlySpan<byte> from, ref int at)
    {
        double value = BinaryPrimitives.ReadDoubleLittleEndian(from[at..]);
        at += sizeof(double);
        return value;
    }

    private static string ReadText(ReadOnlySpan<byte> from, ref int at)
    {
        int length = ReadVarint(from, ref at);
        var value = Encoding.UTF8.GetString(from.Slice(at, length));
        at += length;
        return value;
    }
}
