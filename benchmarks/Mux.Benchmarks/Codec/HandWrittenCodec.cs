using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Benchmarks.Codec;

/// <summary>
/// The two messages by hand, as fast as we can write them: the reference for the generated codec. It knows no other messages, refuses
/// unknown fields instead of passing over them, and writes where there is room for the longest form of everything.
/// </summary>
internal static class HandWrittenCodec
{
    private const int MaxVarintField = 11;
    private const int DoubleField = 9;
    private const int MaxTextHeader = 6;
    private const int MaxBytesPerChar = 3;

    public static int Encode(SearchEmployee query, Span<byte> to)
    {
        if (to.Length < MaxVarintField + DoubleField) ThrowRoom();
        ref byte start = ref MemoryMarshal.GetReference(to);
        ref byte next = ref Number(ref start, 0x08, query.Id);
        next = ref Double(ref next, 0x11, query.RequestTime);
        return (int)Unsafe.ByteOffset(ref start, ref next);
    }

    public static int Encode(Employee employee, Span<byte> to)
    {
        long characters = (long)LengthOf(employee.LastName) + LengthOf(employee.FirstName) + LengthOf(employee.Title)
            + LengthOf(employee.City) + LengthOf(employee.Region) + LengthOf(employee.Country);
        if (to.Length < MaxVarintField + DoubleField + 6 * MaxTextHeader + MaxBytesPerChar * characters) ThrowRoom();

        ref byte start = ref MemoryMarshal.GetReference(to);
        ref byte next = ref Number(ref start, 0x08, employee.EmployeeId);
        next = ref Text(ref next, 0x12, employee.LastName);
        next = ref Text(ref next, 0x1a, employee.FirstName);
        next = ref Text(ref next, 0x22, employee.Title);
        next = ref Text(ref next, 0x2a, employee.City);
        next = ref Text(ref next, 0x32, employee.Region);
        next = ref Text(ref next, 0x3a, employee.Country);
        next = ref Double(ref next, 0x41, employee.RequestTime);
        return (int)Unsafe.ByteOffset(ref start, ref next);
    }

    public static SearchEmployee DecodeRequest(ReadOnlySpan<byte> from)
    {
        var query = new SearchEmployee();
        ref byte next = ref MemoryMarshal.GetReference(from);
        ref byte end = ref Unsafe.Add(ref next, from.Length);
        while (Unsafe.IsAddressLessThan(ref next, ref end))
        {
            switch (next)
            {
                case 0x08:
                    next = ref Number(ref next, ref end, out int id);
                    query.Id = id;
                    if (Unsafe.AreSame(ref next, ref end)) return query;
                    if (next == 0x11) goto case 0x11;
                    break;
                case 0x11:
                    next = ref Double(ref next, ref end, out double time);
                    query.RequestTime = time;
                    break;
                default:
                    ThrowUnknown();
                    break;
            }
        }

        return query;
    }

    public static Employee DecodeReply(ReadOnlySpan<byte> from)
    {
        var employee = new Employee();
        ref byte next = ref MemoryMarshal.GetReference(from);
        ref byte end = ref Unsafe.Add(ref next, from.Length);
        while (Unsafe.IsAddressLessThan(ref next, ref end))
        {
            switch (next)
            {
                case 0x08:
                    next = ref Number(ref next, ref end, out int id);
                    employee.EmployeeId = id;
                    if (Is(ref next, ref end, 0x12)) goto case 0x12;
                    break;
                case 0x12:
                    employee.LastName = Text(ref next, ref end, out int lastName);
                    next = ref Unsafe.Add(ref next, lastName);
                    if (Is(ref next, ref end, 0x1a)) goto case 0x1a;
                    break;
                case 0x1a:
                    employee.FirstName = Text(ref next, ref end, out int firstName);
                    next = ref Unsafe.Add(ref next, firstName);
                    if (Is(ref next, ref end, 0x22)) goto case 0x22;
                    break;
                case 0x22:
                    employee.Title = Text(ref next, ref end, out int title);
                    next = ref Unsafe.Add(ref next, title);
                    if (Is(ref next, ref end, 0x2a)) goto case 0x2a;
                    break;
                case 0x2a:
                    employee.City = Text(ref next, ref end, out int city);
                    next = ref Unsafe.Add(ref next, city);
                    if (Is(ref next, ref end, 0x32)) goto case 0x32;
                    break;
                case 0x32:
                    employee.Region = Text(ref next, ref end, out int region);
                    next = ref Unsafe.Add(ref next, region);
                    if (Is(ref next, ref end, 0x3a)) goto case 0x3a;
                    break;
                case 0x3a:
                    employee.Country = Text(ref next, ref end, out int country);
                    next = ref Unsafe.Add(ref next, country);
                    if (Is(ref next, ref end, 0x41)) goto case 0x41;
                    break;
                case 0x41:
                    next = ref Double(ref next, ref end, out double time);
                    employee.RequestTime = time;
                    break;
                default:
                    ThrowUnknown();
                    break;
            }
        }

        return employee;
    }

    public static ref byte Varint(ref byte next, ulong value)
    {
        for (; value >= 0x80; value >>= 7)
        {
            next = (byte)(value | 0x80);
            next = ref Unsafe.Add(ref next, 1);
        }

        next = (byte)value;
        return ref Unsafe.Add(ref next, 1);
    }

    private static int LengthOf(string? text) => text is null ? 0 : text.Length;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte Number(ref byte next, byte tag, int value)
    {
        if (value == 0) return ref next;
        next = tag;
        ref byte first = ref Unsafe.Add(ref next, 1);
        if ((uint)value >= 0x80) return ref Varint(ref first, (ulong)value);
        first = (byte)value;
        return ref Unsafe.Add(ref first, 1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte Double(ref byte next, byte tag, double value)
    {
        if (value == 0) return ref next;
        next = tag;
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref next, 1), value);
        return ref Unsafe.Add(ref next, DoubleField);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte Text(ref byte next, byte tag, string? value)
    {
        if (value is null) return ref next;
        return ref HandWrittenText.Write(ref next, tag, value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Is(ref byte next, ref byte end, byte tag) => Unsafe.IsAddressLessThan(ref next, ref end) && next == tag;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte Number(ref byte next, ref byte end, out int value)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < 2) ThrowCut();
        next = ref Unsafe.Add(ref next, 1);
        value = next;
        if (value < 0x80) return ref Unsafe.Add(ref next, 1);
        next = ref LongNumber(ref next, ref end, out int large);
        value = large; // whose address alone is taken
        return ref next;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte LongNumber(ref byte next, ref byte end, out int value)
    {
        ulong read = 0;
        for (int shift = 0; shift < 64 && Unsafe.IsAddressLessThan(ref next, ref end); shift += 7)
        {
            ulong part = next;
            next = ref Unsafe.Add(ref next, 1);
            read |= (part & 0x7f) << shift;
            if (part >= 0x80) continue;
            value = (int)read;
            return ref next;
        }

        ThrowCut();
        value = 0;
        return ref next;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte Double(ref byte next, ref byte end, out double value)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < DoubleField) ThrowCut();
        value = Unsafe.ReadUnaligned<double>(ref Unsafe.Add(ref next, 1));
        return ref Unsafe.Add(ref next, DoubleField);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static string Text(ref byte next, ref byte end, out int size)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < 2) ThrowCut();
        int length = Unsafe.Add(ref next, 1);
        size = 2 + length;
        if (length < 0x80 && size <= Unsafe.ByteOffset(ref next, ref end)) return HandWrittenText.Read(ref Unsafe.Add(ref next, 2), length);
        var text = LongText(ref next, ref end, out int large);
        size = large;
        return text;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string LongText(ref byte next, ref byte end, out int size)
    {
        ref byte start = ref LongNumber(ref Unsafe.Add(ref next, 1), ref end, out int length);
        if ((uint)length > (ulong)Unsafe.ByteOffset(ref start, ref end)) ThrowCut();
        size = (int)Unsafe.ByteOffset(ref next, ref start) + length;
        return HandWrittenText.Read(ref start, length);
    }

    private static void ThrowRoom() => throw new ArgumentException("The message may not fit.");

    private static void ThrowCut() => throw new InvalidDataException("The message ends within a field.");

    private static void ThrowUnknown() => throw new InvalidDataException("An unknown field.");
}
