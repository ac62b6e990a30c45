namespace Mux.Wire;

/// <summary>
/// The eight bytes each side sends before its first frame (PROTOCOL.md section 1.1): the name and version, then line ends that a text-mode
/// link would mangle, so that a mangling link fails here and not in the middle of a message.
/// </summary>
internal static class Preface
{
    public const int Size = 8;

    public static ReadOnlySpan<byte> Bytes => "MUX1\r\n\u001a\n"u8;
}
