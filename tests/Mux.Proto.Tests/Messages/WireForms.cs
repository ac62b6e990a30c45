using Google.Protobuf.Reflection;

namespace Mux.Proto.Tests.Messages;

/// <summary>Ways in which a field may be on the wire, whatever its type is: each wire type, with awkward content.</summary>
internal static class WireForms
{
    // One, minus one, and numbers of more than 32 bits whose lower ones are one and zero.
    private static readonly string[] s_varints = ["01", "FFFFFFFFFFFFFFFFFF01", "8180808010", "8080808010"];

    // Text, nothing, two items of a block, and what is no UTF-8: a cut sequence, half a pair, more than Unicode has.
    private static readonly string[] s_blocks = ["6162", "", "0102", "C328", "EDA080", "F4908080", "0000000000000080"];

    /// <summary>All forms of a field, each complete.</summary>
    public static IReadOnlyList<byte[]> Of(FieldDescriptor field) => [.. Of(field, depth: 0)];

    private static IEnumerable<byte[]> Of(FieldDescriptor field, int depth)
    {
        foreach (var number in s_varints) yield return [.. Tag(field, 0), .. Convert.FromHexString(number)];
        yield return [.. Tag(field, 1), 0, 0, 0, 0, 0, 0, 0, 0x80];
        yield return [.. Tag(field, 5), 0, 0, 0, 0x80];
        yield return [.. Tag(field, 3), .. Tag(field, 4)];
        yield return [.. Tag(field, 4)];
        // In entries of maps Google's library overlooks a wire type that does not exist.
        if (depth == 0) yield return [.. Tag(field, 6)];
        foreach (var block in s_blocks) yield return [.. Tag(field, 2), .. Block(Convert.FromHexString(block))];
        if (field.FieldType is not (FieldType.Message or FieldType.Group) || depth > 0) yield break;
        foreach (var content in field.MessageType.Fields.InDeclarationOrder().Take(2).SelectMany(part => Of(part, depth + 1)))
        {
            yield return [.. Tag(field, 2), .. Block(content)];
            yield return [.. Tag(field, 3), .. content, .. Tag(field, 4)];
        }
    }

    private static byte[] Block(byte[] content) => [.. Varint((uint)content.Length), .. content];

    private static byte[] Tag(FieldDescriptor field, uint wireType) => Varint(((uint)field.FieldNumber << 3) | wireType);

    private static byte[] Varint(uint number)
    {
        var bytes = new List<byte>();
        for (; number >= 0x80; number >>= 7) bytes.Add((byte)(number | 0x80));
        bytes.Add((byte)number);
        return [.. bytes];
    }
}
