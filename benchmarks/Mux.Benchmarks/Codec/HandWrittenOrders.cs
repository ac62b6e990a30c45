using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Benchmarks.Codec.Shapes;
using static Mux.Benchmarks.Codec.HandWrittenFields;

namespace Mux.Benchmarks.Codec;

/// <summary>The order by hand: messages in a message, whose lengths are written behind them. Room is asked for message by message.</summary>
internal static class HandWrittenOrders
{
    private const int NestedHeader = 2;

    public static int Encode(Order order, Span<byte> to)
    {
        ref byte start = ref MemoryMarshal.GetReference(to);
        ref byte end = ref Unsafe.Add(ref start, to.Length);
        if (to.Length < MaxVarintField) ThrowRoom();
        ref byte next = ref Number(ref start, 0x08, order.Id);
        if (order.Customer is { } customer) next = ref Write(ref next, ref end, customer);
        foreach (var line in CollectionsMarshal.AsSpan(order.Lines)) next = ref Write(ref next, ref end, line);
        if (Unsafe.ByteOffset(ref next, ref end) < MaxTextHeader + (nint)MaxBytesPerChar * LengthOf(order.Currency)) ThrowRoom();
        next = ref Text(ref next, 0x22, order.Currency);
        return (int)Unsafe.ByteOffset(ref start, ref next);
    }

    public static Order Decode(ReadOnlySpan<byte> from)
    {
        var order = new Order();
        ref byte next = ref MemoryMarshal.GetReference(from);
        ref byte end = ref Unsafe.Add(ref next, from.Length);
        while (Unsafe.IsAddressLessThan(ref next, ref end))
        {
            switch (next)
            {
                case 0x08:
                    next = ref Number(ref next, ref end, out long id);
                    order.Id = id;
                    break;
                case 0x12:
                    next = ref Nested(ref next, ref end, out int customerLength);
                    order.Customer = ReadParty(ref next, ref Unsafe.Add(ref next, customerLength));
                    next = ref Unsafe.Add(ref next, customerLength);
                    break;
                case 0x1a:
                    var lines = order.Lines ??= [];
                    do
                    {
                        next = ref Nested(ref next, ref end, out int length);
                        lines.Add(ReadLine(ref next, ref Unsafe.Add(ref next, length)));
                        next = ref Unsafe.Add(ref next, length);
                    }
                    while (Is(ref next, ref end, 0x1a));
                    break;
                case 0x22:
                    order.Currency = Text(ref next, ref end, out int size);
                    next = ref Unsafe.Add(ref next, size);
                    break;
                default:
                    ThrowUnknown();
                    break;
            }
        }

        return order;
    }

    private static ref byte Write(ref byte next, ref byte end, Party party)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < NestedHeader + 2 * MaxTextHeader + (nint)MaxBytesPerChar * (LengthOf(party.Name) + LengthOf(party.City))) ThrowRoom();
        next = 0x12;
        ref byte start = ref Unsafe.Add(ref next, NestedHeader);
        next = ref Text(ref start, 0x0a, party.Name);
        next = ref Text(ref next, 0x12, party.City);
        return ref EndNested(ref start, ref next, ref end);
    }

    private static ref byte Write(ref byte next, ref byte end, OrderLine line)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < NestedHeader + MaxVarintField + DoubleField + MaxTextHeader + (nint)MaxBytesPerChar * LengthOf(line.Product)) ThrowRoom();
        next = 0x1a;
        ref byte start = ref Unsafe.Add(ref next, NestedHeader);
        next = ref Text(ref start, 0x0a, line.Product);
        next = ref Number(ref next, 0x10, line.Count);
        next = ref Double(ref next, 0x19, line.Price);
        return ref EndNested(ref start, ref next, ref end);
    }

    private static Party ReadParty(ref byte next, ref byte end)
    {
        var party = new Party();
        while (Unsafe.IsAddressLessThan(ref next, ref end))
        {
            switch (next)
            {
                case 0x0a:
                    party.Name = Text(ref next, ref end, out int name);
                    next = ref Unsafe.Add(ref next, name);
                    if (Is(ref next, ref end, 0x12)) goto case 0x12;
                    break;
                case 0x12:
                    party.City = Text(ref next, ref end, out int city);
                    next = ref Unsafe.Add(ref next, city);
                    break;
                default:
                    ThrowUnknown();
                    break;
            }
        }

        return party;
    }

    private static OrderLine ReadLine(ref byte next, ref byte end)
    {
        var line = new OrderLine();
        while (Unsafe.IsAddressLessThan(ref next, ref end))
        {
            switch (next)
            {
                case 0x0a:
                    line.Product = Text(ref next, ref end, out int product);
                    next = ref Unsafe.Add(ref next, product);
                    if (Is(ref next, ref end, 0x10)) goto case 0x10;
                    break;
                case 0x10:
                    next = ref Number(ref next, ref end, out int count);
                    line.Count = count;
                    if (Is(ref next, ref end, 0x19)) goto case 0x19;
                    break;
                case 0x19:
                    next = ref Double(ref next, ref end, out double price);
                    line.Price = price;
                    break;
                default:
                    ThrowUnknown();
                    break;
            }
        }

        return line;
    }
}
