using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static Mux.Benchmarks.Codec.HandWrittenFields;

namespace Mux.Benchmarks.Codec;

/// <summary>
/// The two messages by hand, as fast as we can write them: the reference for the generated codec. It knows no other messages, refuses
/// unknown fields instead of passing over them, and writes where there is room for the longest form of everything.
/// </summary>
internal static class HandWrittenCodec
{
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
}
