namespace Mux.Protocol;

/// <summary>
/// The eight bytes that each side sends before its first frame (PROTOCOL.md section 1.1): name and version, then line ends that a text-mode link would alter,
/// so that such a link fails here rather than inside a message.
/// </summary>
internal static class Preface
{
    public const int Size = 8;

    public static ReadOnlySpan<byte> Bytes => "MUX1\r\n\u001a\n"u8;
}
