using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>
/// Bodies that are not a message, or an unusual one, for a method that reads protobuf: a string in field 1, a number of 16 bits in field 2, numbers of 64 bits
/// in field 3, and a nested message in field 4. The connection does not read messages, so these cases are for whole servers.
/// </summary>
internal static class PayloadCases
{
    private const byte Text = 1 << 3 | 2, Small = 2 << 3, Numbers = 3 << 3 | 2, Inner = 4 << 3 | 2; // field and wire type
    private const byte GroupThatBegins = 5 << 3 | 3;
    private const int MaxDepth = 64;

    private static readonly CallId s_new = new(3, 1);
    private static readonly byte[] s_message = [Text, 5, .. "hello"u8, Small, 42, Numbers, 8, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, Inner, 2, Small, 1];

    public static IReadOnlyList<BadInputCase> All { get; } =
    [
        Taken("A_good_message", s_message),
        Taken("A_message_with_an_unknown_field", [15 << 3 | 2, 3, 1, 2, 3, .. s_message]),
        Refused("A_body_of_random_bytes", RandomBytes()),
        Refused("A_field_that_claims_512_MiB", [Text, .. Varint(512 << 20), .. "hello"u8]),
        Taken("A_message_as_deep_as_it_may_be", Nested(MaxDepth - 1)),
        Refused("A_message_that_is_too_deep", Nested(MaxDepth + 1)),
        Refused("Sixty_thousand_groups_that_begin", [.. Enumerable.Repeat(GroupThatBegins, 60_000)]),
        Refused("The_field_number_0", [2, 0]),
        Refused("The_wire_type_6", [1 << 3 | 6, 0]),
        Refused("The_wire_type_7", [1 << 3 | 7, 0]),
        Refused("Packed_numbers_that_end_in_an_item", [Numbers, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        Refused("A_text_that_is_cut_short", s_message[..4]),
        Refused("An_inner_message_that_is_cut_short", s_message[..^1]),
        Refused("A_number_that_its_type_cannot_hold", [Small, .. Varint(70_000)]),
        Refused("A_varint_of_eleven_bytes", [Small, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
    ];

    private static BadInputCase Taken(string name, byte[] body) => new(name, Call(body), Reaction.Answered(Answer.Response(s_new))) { Accepting = true };

    private static BadInputCase Refused(string name, byte[] body) =>
        new(name, Call(body), Reaction.Answered(Answer.Fail(s_new, MuxStatus.InvalidArgument))) { Accepting = true };

    private static byte[] Call(byte[] body) =>
        [.. Raw.Define(2, 0, SpecMethods.Decode), .. Raw.Request(s_new.Slot, s_new.Generation, 2, RequestOptions.None, body)];

    /// <summary>Random bytes that are the same in every run.</summary>
    private static byte[] RandomBytes()
    {
        uint state = 2_463_534_242;
        var bytes = new byte[200];
        for (int at = 0; at < bytes.Length; at++)
        {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            bytes[at] = (byte)state;
        }

        return bytes;
    }

    /// <summary>A message nested in the given number of others.</summary>
    private static byte[] Nested(int depth)
    {
        byte[] message = [];
        for (int level = 0; level < depth; level++) message = [Inner, .. Varint((uint)message.Length), .. message];
        return message;
    }

    private static byte[] Varint(uint value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7) bytes.Add((byte)(value | 0x80));
        return [.. bytes, (byte)value];
    }
}
