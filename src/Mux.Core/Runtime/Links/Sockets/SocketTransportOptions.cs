namespace Mux.Transports.Sockets;

/// <summary>Options of a <see cref="SocketTransport"/>. Copied when the transport is created; later changes have no effect.</summary>
public class SocketTransportOptions
{
    // TCP_CA_NAME_MAX is 16 including the closing zero.
    private const int MaxCongestionControlLength = 15;

    /// <summary>
    /// Gets or sets the congestion control algorithm of TCP connections, both dialed and accepted, by its name in the kernel, such as <c>reno</c>, <c>cubic</c>
    /// or <c>bbr</c>. Linux only. Unix domain sockets have none.
    /// </summary>
    /// <value>1 to 15 characters. <see langword="null"/> by default: the system's choice. With an unknown name, every connect and every listen fails.</value>
    public string? CongestionControl { get; set; }

    /// <summary>Size of the operating system's send buffer of each connection, in bytes. The system may round it, and doubles it on Linux.</summary>
    /// <value>At least 1. <see langword="null"/> by default: the system adapts it, which is best in nearly all cases.</value>
    public int? SendBufferSize { get; set; }

    /// <summary>Size of the operating system's receive buffer of each connection, in bytes. The system may round it, and doubles it on Linux.</summary>
    /// <value>At least 1. <see langword="null"/> by default: the system adapts it, which is best in nearly all cases.</value>
    public int? ReceiveBufferSize { get; set; }

    /// <summary>
    /// Time after which the kernel ends a TCP connection whose sent bytes the peer does not acknowledge, or whose window the peer keeps closed
    /// (TCP_USER_TIMEOUT, RFC 5482). Linux only. Null: the system's choice, which is some 15 minutes.
    /// </summary>
    internal TimeSpan? UnacknowledgedTime { get; init; }

    internal virtual SocketTransportOptions Validated()
    {
        string here = GetType().Name;
        if (CongestionControl is { Length: 0 or > MaxCongestionControlLength } name)
            throw new ArgumentException($"{here}.{nameof(CongestionControl)} is '{name}': expected 1 to {MaxCongestionControlLength} characters.");
        if (SendBufferSize is < 1 and var send)
            throw new ArgumentException($"{here}.{nameof(SendBufferSize)} is {send}: expected 1 or more bytes.");
        if (ReceiveBufferSize is < 1 and var receive)
            throw new ArgumentException($"{here}.{nameof(ReceiveBufferSize)} is {receive}: expected 1 or more bytes.");
        return (SocketTransportOptions)MemberwiseClone();
    }
}
