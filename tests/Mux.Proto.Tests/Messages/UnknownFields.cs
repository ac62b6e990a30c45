namespace Mux.Proto.Tests.Messages;

/// <summary>Fields whose number, 700 to 703, no message has: one of each wire type.</summary>
internal static class UnknownFields
{
    public static byte[] Some { get; } =
        [0xE0, 0x2B, 0x96, 0x01, 0xE9, 0x2B, 1, 2, 3, 4, 5, 6, 7, 8, 0xF2, 0x2B, 2, 0x61, 0x62, 0xFD, 0x2B, 1, 2, 3, 4];
}
