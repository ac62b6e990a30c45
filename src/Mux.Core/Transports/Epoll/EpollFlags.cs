namespace Mux.Transports.Epoll;

/// <summary>What a handle is watched for and what happened to it; the values are the kernel's.</summary>
internal static class EpollFlags
{
    public const uint None = 0;

    /// <summary>Bytes, the end of the stream, or a connection to accept.</summary>
    public const uint Readable = 0x001;

    /// <summary>Room to send, or a connect that is done.</summary>
    public const uint Writable = 0x004;

    /// <summary>A failure or a hang-up, reported whether asked for or not; a receive says which.</summary>
    public const uint Broken = 0x008 | 0x010;
}
