using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Benchmarks.Codec.Shapes;
using static Mux.Benchmarks.Codec.HandWrittenFields;

namespace Mux.Benchmarks.Codec;

/// <summary>The thousand readings by hand: none is longer than a length of one byte says, so nothing is ever moved.</summary>
internal static class HandWrittenReadings
{
    private const int NestedHeader = 2;

    public static int Encode(Readings readings, Span<byte> to)
    {
        ref byte start = ref MemoryMarshal.GetReference(to);
        ref byte next = ref start;
        var items = CollectionsMarshal.AsSpan(readings.Items);
        if (to.Length < (long)items.Length * (NestedHeader + MaxVarintField + DoubleField)) ThrowRoom();
        foreach (var reading in items)
        {
            next = 0x0a;
            ref byte content = ref Unsafe.Add(ref next, NestedHeader);
            ref byte behind = ref Number(ref content, 0x08, reading.Sensor);
            behind = ref Double(ref behind, 0x11, reading.Value);
            Unsafe.Add(ref next, 1) = (byte)Unsafe.ByteOffset(ref content, ref behind);
            next = ref behind;
        }

        return (int)Unsafe.ByteOffset(ref start, ref next);
    }

    public static Readings Decode(ReadOnlySpan<byte> from)
    {
        var readings = new Readings();
        ref byte next = ref MemoryMarshal.GetReference(from);
        ref byte end = ref Unsafe.Add(ref next, from.Length);
        if (Unsafe.AreSame(ref next, ref end)) return readings;
        var items = readings.Items = [];
        do
        {
            if (next != 0x0a) ThrowUnknown();
            next = ref Nested(ref next, ref end, out int length);
            items.Add(ReadReading(ref next, ref Unsafe.Add(ref next, length)));
            next = ref Unsafe.Add(ref next, length);
        }
        while (Unsafe.IsAddressLessThan(ref next, ref end));
        return readings;
    }

    private static Reading ReadReading(ref byte next, ref byte end)
    {
        var reading = new Reading();
        while (Unsafe.IsAddressLessThan(ref next, ref end))
        {
            switch (next)
            {
                case 0x08:
                    next = ref Number(ref next, ref end, out int sensor);
                    reading.Sensor = sensor;
                    if (Is(ref next, ref end, 0x11)) goto case 0x11;
                    break;
                case 0x11:
                    next = ref Double(ref next, ref end, out double value);
                    reading.Value = value;
                    break;
                default:
                    ThrowUnknown();
                    break;
            }
        }

        return reading;
    }
}
