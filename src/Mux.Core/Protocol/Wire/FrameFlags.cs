namespace Mux.Protocol;

/// <summary>The three flag bits of a frame header (PROTOCOL.md section 2.1).</summary>
[Flags]
internal enum FrameFlags : byte
{
    None = 0,

    /// <summary>The message continues in the next frame of this kind and id.</summary>
    More = 1,

    /// <summary>A metadata block precedes the body.</summary>
    Meta = 2,

    /// <summary>The message is compressed.</summary>
    Compressed = 4,

    /// <summary>In PING, GOAWAY, DEFINE and AUTH: an answer to the peer's frame. Same bit as <see cref="Compressed"/>.</summary>
    Answer = 4,
}
