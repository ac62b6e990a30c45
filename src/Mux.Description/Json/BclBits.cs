using System.Buffers.Binary;

namespace Mux.Description.Json;

/// <summary>Guids and decimals of protobuf-net: halves and bits.</summary>
internal static class BclBits
{
    private const int MaxScale = 28;

    public static Guid ToGuid(ulong low, ulong high)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, low);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], high);
        return new Guid(bytes);
    }

    public static decimal ToDecimal(ulong low, ulong high, ulong signScale)
    {
        ulong scale = signScale >> 1;
        if (scale > MaxScale) JsonFault.Throw($"is a decimal with {scale} digits after the point; allowed are 0 to {MaxScale}");
        return new decimal((int)low, (int)(low >> 32), (int)high, (signScale & 1) != 0, (byte)scale);
    }

    public static void Write(MessageBuffer to, Guid value)
    {
        if (value == Guid.Empty) return;
        Span<byte> bytes = stackalloc byte[16];
        value.TryWriteBytes(bytes);
        to.WriteVarint((1 << 3) | 1);
        to.WriteFixed64(BinaryPrimitives.ReadUInt64LittleEndian(bytes));
        to.WriteVarint((2 << 3) | 1);
        to.WriteFixed64(BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]));
    }

    public static void Write(MessageBuffer to, decimal value)
    {
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(value, bits);
        WritePart(to, 1, ((ulong)(uint)bits[1] << 32) | (uint)bits[0]);
        WritePart(to, 2, (uint)bits[2]);
        WritePart(to, 3, ((uint)value.Scale << 1) | ((uint)bits[3] >> 31));
    }

    private static void WritePart(MessageBuffer to, uint field, ulong value)
    {
        if (value == 0) return;
        to.WriteVarint(field << 3);
        to.WriteVarint(value);
    }
}
