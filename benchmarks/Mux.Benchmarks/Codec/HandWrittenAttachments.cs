using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Benchmarks.Codec.Shapes;
using static Mux.Benchmarks.Codec.HandWrittenFields;

namespace Mux.Benchmarks.Codec;

/// <summary>The attachment by hand: a copy and little else.</summary>
internal static class HandWrittenAttachments
{
    private const int MaxBytesHeader = 6;

    public static int Encode(Attachment attachment, Span<byte> to)
    {
        var content = attachment.Content;
        if (to.Length < MaxVarintField + MaxBytesHeader + (content is null ? 0 : (long)content.Length)) ThrowRoom();
        ref byte start = ref MemoryMarshal.GetReference(to);
        ref byte next = ref Number(ref start, 0x08, attachment.Id);
        if (content is null) return (int)Unsafe.ByteOffset(ref start, ref next);
        next = 0x12;
        next = ref Varint(ref Unsafe.Add(ref next, 1), (uint)content.Length);
        int header = (int)Unsafe.ByteOffset(ref start, ref next);
        content.CopyTo(to[header..]);
        return header + content.Length;
    }

    public static Attachment Decode(ReadOnlySpan<byte> from)
    {
        var attachment = new Attachment();
        ref byte next = ref MemoryMarshal.GetReference(from);
        ref byte end = ref Unsafe.Add(ref next, from.Length);
        while (Unsafe.IsAddressLessThan(ref next, ref end))
        {
            switch (next)
            {
                case 0x08:
                    next = ref Number(ref next, ref end, out int id);
                    attachment.Id = id;
                    break;
                case 0x12:
                    next = ref Nested(ref next, ref end, out int length);
                    var content = GC.AllocateUninitializedArray<byte>(length);
                    MemoryMarshal.CreateReadOnlySpan(ref next, length).CopyTo(content);
                    attachment.Content = content;
                    next = ref Unsafe.Add(ref next, length);
                    break;
                default:
                    ThrowUnknown();
                    break;
            }
        }

        return attachment;
    }
}
