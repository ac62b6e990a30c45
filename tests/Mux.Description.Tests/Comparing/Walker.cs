using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Mux.Description.Proto;

namespace Mux.Description.Tests.Comparing;

/// <summary>Reads and writes messages by their descriptions alone, as protobuf says: what it does not know is kept as it came.</summary>
internal static class Walker
{
    /// <summary>Reads a message: the items of each field by number, and unknown fields as number 0.</summary>
    public static SortedDictionary<int, List<object>> Read(ProtoMessage type, ReadOnlySpan<byte> bytes)
    {
        var tree = new SortedDictionary<int, List<object>>();
        while (!bytes.IsEmpty)
        {
            var start = bytes;
            ulong tag = Varint(ref bytes);
            var field = type.Fields.Find(field => field.Number == (int)(tag >> 3));
            int wireType = (int)(tag & 7);
            var content = Content(wireType, ref bytes);
            if (field is not null && wireType == 2 && field.IsRepeated && WireTypeOf(field.Kind) != 2)
            {
                while (!content.IsEmpty) Add(tree, type, field, Value(field, Content(WireTypeOf(field.Kind), ref content)));
            }
            else if (field is not null && wireType == WireTypeOf(field.Kind)) Add(tree, type, field, Value(field, content));
            else Items(tree, 0).Add(start[..(start.Length - bytes.Length)].ToArray());
        }

        // A value without presence that is zero is no value.
        foreach (var field in type.Fields.Where(static field => field is { IsRepeated: false, HasPresence: false }))
        {
            if (tree.TryGetValue(field.Number, out var items) && IsZero(items[0])) tree.Remove(field.Number);
        }

        return tree;
    }

    public static byte[] Write(ProtoMessage type, SortedDictionary<int, List<object>> tree)
    {
        var bytes = new List<byte>();
        foreach (var (number, items) in tree)
        {
            foreach (var item in items)
            {
                if (number == 0) bytes.AddRange((byte[])item);
                else Write(bytes, type.Fields.Find(field => field.Number == number)!, item);
            }
        }

        return [.. bytes];
    }

    /// <summary>Shows a message, so that equal ones are equal texts.</summary>
    public static string Show(object value) => value switch
    {
        SortedDictionary<int, List<object>> tree => $"{{{string.Join(' ', tree.Select(static entry => $"{entry.Key}:{string.Join(',', entry.Value.Select(Show))}"))}}}",
        byte[] bytes => Convert.ToHexString(bytes),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => $"\"{value}\"",
    };

    private static void Add(SortedDictionary<int, List<object>> tree, ProtoMessage type, ProtoField field, object value)
    {
        var items = Items(tree, field.Number);
        if (field.IsMap) items.RemoveAll(item => Show(((SortedDictionary<int, List<object>>)item).GetValueOrDefault(1) ?? []) == Show(((SortedDictionary<int, List<object>>)value).GetValueOrDefault(1) ?? []));
        if (!field.IsRepeated) items.Clear();
        foreach (var other in type.Fields.Where(other => field.Oneof is not null && other != field && other.Oneof == field.Oneof)) tree.Remove(other.Number);
        items.Add(value);
    }

    private static List<object> Items(SortedDictionary<int, List<object>> tree, int number)
    {
        if (!tree.TryGetValue(number, out var items)) tree.Add(number, items = []);
        return items;
    }

    private static object Value(ProtoField field, ReadOnlySpan<byte> content)
    {
        ulong number = content.Length switch
        {
            _ when WireTypeOf(field.Kind) == 2 => 0,
            8 when WireTypeOf(field.Kind) == 1 => BinaryPrimitives.ReadUInt64LittleEndian(content),
            4 when WireTypeOf(field.Kind) == 5 => BinaryPrimitives.ReadUInt32LittleEndian(content),
            _ => Varint(ref content),
        };
        return field.Kind switch
        {
            FieldKind.Int32 or FieldKind.Enum => (long)(int)number,
            FieldKind.Int64 or FieldKind.SFixed64 => (long)number,
            FieldKind.SFixed32 => (long)(int)number,
            FieldKind.UInt32 or FieldKind.Fixed32 => (ulong)(uint)number,
            FieldKind.UInt64 or FieldKind.Fixed64 => number,
            FieldKind.Bool => number != 0,
            FieldKind.SInt32 or FieldKind.SInt64 => (long)(number >> 1) ^ -(long)(number & 1),
            FieldKind.Float => (double)BitConverter.UInt32BitsToSingle((uint)number),
            FieldKind.Double => BitConverter.UInt64BitsToDouble(number),
            FieldKind.String => Encoding.UTF8.GetString(content),
            FieldKind.Message => Read(field.Message!, content),
            _ => content.ToArray(),
        };
    }

    private static void Write(List<byte> bytes, ProtoField field, object value)
    {
        Varint(bytes, ((ulong)field.Number << 3) | (uint)WireTypeOf(field.Kind));
        switch (field.Kind)
        {
            case FieldKind.String or FieldKind.Bytes or FieldKind.Message:
                byte[] content = value switch
                {
                    string text => Encoding.UTF8.GetBytes(text),
                    SortedDictionary<int, List<object>> tree => Write(field.Message!, tree),
                    _ => (byte[])value,
                };
                Varint(bytes, (ulong)content.Length);
                bytes.AddRange(content);
                break;
            case FieldKind.Float:
                bytes.AddRange(BitConverter.GetBytes((float)(double)value));
                break;
            case FieldKind.Double:
                bytes.AddRange(BitConverter.GetBytes((double)value));
                break;
            case FieldKind.Fixed32 or FieldKind.SFixed32:
                bytes.AddRange(BitConverter.GetBytes((uint)Bits(value)));
                break;
            case FieldKind.Fixed64 or FieldKind.SFixed64:
                bytes.AddRange(BitConverter.GetBytes(Bits(value)));
                break;
            case FieldKind.SInt32 or FieldKind.SInt64:
                Varint(bytes, (Bits(value) << 1) ^ (ulong)((long)Bits(value) >> 63));
                break;
            default:
                Varint(bytes, Bits(value));
                break;
        }
    }

    private static ulong Bits(object value) => value switch
    {
        long number => (ulong)number,
        ulong number => number,
        _ => (bool)value ? 1u : 0u,
    };

    private static bool IsZero(object value) => value switch
    {
        string text => text.Length == 0,
        byte[] bytes => bytes.Length == 0,
        double number => BitConverter.DoubleToUInt64Bits(number) == 0,
        SortedDictionary<int, List<object>> => false,
        _ => Bits(value) == 0,
    };

    private static int WireTypeOf(FieldKind kind) => kind switch
    {
        FieldKind.Double or FieldKind.Fixed64 or FieldKind.SFixed64 => 1,
        FieldKind.Float or FieldKind.Fixed32 or FieldKind.SFixed32 => 5,
        FieldKind.String or FieldKind.Bytes or FieldKind.Message => 2,
        _ => 0,
    };

    private static ReadOnlySpan<byte> Content(int wireType, ref ReadOnlySpan<byte> bytes)
    {
        var start = bytes;
        int length = wireType switch
        {
            1 => 8,
            5 => 4,
            2 => (int)Varint(ref bytes),
            _ => 0,
        };
        if (wireType == 0)
        {
            Varint(ref bytes);
            return start[..(start.Length - bytes.Length)];
        }

        var content = bytes[..length];
        bytes = bytes[length..];
        return content;
    }

    private static ulong Varint(ref ReadOnlySpan<byte> bytes)
    {
        ulong value = 0;
        int i = 0;
        for (; bytes[i] > 0x7F; i++) value |= (ulong)(bytes[i] & 0x7F) << (7 * i);
        value |= (ulong)bytes[i] << (7 * i);
        bytes = bytes[(i + 1)..];
        return value;
    }

    private static void Varint(List<byte> bytes, ulong value)
    {
        for (; value > 0x7F; value >>= 7) bytes.Add((byte)(value | 0x80));
        bytes.Add((byte)value);
    }
}
