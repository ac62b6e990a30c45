using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Wire;

namespace Mux.Serialization.Oracles.Mutations;

/// <summary>Finds the fields of a message, and those of the messages in it, as far as the bytes can be followed.</summary>
internal static class FieldPlaces
{
    private const int MaxDepth = 8;

    public static void Find(ReadOnlySpan<byte> bytes, MessageDescriptor descriptor, List<FieldPlace> places)
    {
        places.Clear();
        Find(bytes, 0, bytes.Length, descriptor, places, 0);
    }

    private static void Find(ReadOnlySpan<byte> bytes, int position, int end, MessageDescriptor? descriptor, List<FieldPlace> places, int depth)
    {
        while (position < end)
        {
            int start = position;
            if (!TryVarint(bytes, ref position, end, out ulong tag)) return;
            int value = position;
            var type = (WireType)(tag & 7);
            switch (type)
            {
                case WireType.Varint:
                    if (!TryVarint(bytes, ref position, end, out _)) return;
                    break;
                case WireType.Fixed32:
                    position += sizeof(uint);
                    break;
                case WireType.Fixed64:
                    position += sizeof(ulong);
                    break;
                case WireType.Bytes:
                    if (!TryVarint(bytes, ref position, end, out ulong length) || length > (ulong)(end - position)) return;
                    var field = descriptor?.FindFieldByNumber((int)(tag >> 3));
                    if (field is not null && FieldForms.IsMessage(field) && depth < MaxDepth) Find(bytes, position, position + (int)length, field.MessageType, places, depth + 1);
                    position += (int)length;
                    break;
                case WireType.StartGroup or WireType.EndGroup:
                    break; // what is in the group comes next
                default:
                    return;
            }

            if (position > end) return;
            places.Add(new FieldPlace(start, value, position, (int)type));
        }
    }

    private static bool TryVarint(ReadOnlySpan<byte> bytes, ref int position, int end, out ulong value)
    {
        value = 0;
        for (int shift = 0; shift < 64 && position < end; shift += 7)
        {
            byte next = bytes[position++];
            value |= (ulong)(next & 0x7f) << shift;
            if (next < 0x80) return true;
        }

        return false;
    }
}
