namespace Mux.Runtime;

/// <summary>Events that a handle is watched for, and events that happened to it. The values are the kernel's.</summary>
internal static class EpollFlags
{
    public const uint None = 0;

    /// <summary>Bytes, the end of the stream, or a connection to accept.</summary>
    public const uint Readable = 0x001;

    /// <summary>Room to send, or a finished connect.</summary>
    public const uint Writable = 0x004;

    /// <summary>A failure or a hang-up. Always reported; the next receive tells which of the two it is.</summary>
    public const uint Broken = 0x008 | 0x010;
}
