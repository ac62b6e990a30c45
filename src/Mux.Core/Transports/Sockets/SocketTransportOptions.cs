namespace Mux.Transports.Sockets;

/// <summary>Settings of a <see cref="SocketTransport"/>; copied when the transport is made, so later changes have no effect.</summary>
public class SocketTransportOptions
{
    // TCP_CA_NAME_MAX is 16 including the closing zero.
    private const int MaxCongestionControlLength = 15;

    /// <summary>
    /// Congestion control algorithm of TCP connections, both dialed and accepted, by its name in the kernel, such as <c>reno</c>, <c>cubic</c> or <c>bbr</c>.
    /// Linux only. Unix domain sockets have none.
    /// </summary>
    /// <value>Default: <see langword="null"/>, the system's choice. 1 to 15 characters. An unknown name fails every connect and every listen.</value>
    public string? CongestionControl { get; set; }

    /// <summary>Bytes of the operating system's send buffer per connection. The system may round it, and doubles it on Linux.</summary>
    /// <value>Default: <see langword="null"/>, sized by the system as it goes, which is best for nearly everyone. At least 1.</value>
    public int? SendBufferSize { get; set; }

    /// <summary>Bytes of the operating system's receive buffer per connection. The system may round it, and doubles it on Linux.</summary>
    /// <value>Default: <see langword="null"/>, sized by the system as it goes, which is best for nearly everyone. At least 1.</value>
    public int? ReceiveBufferSize { get; set; }

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
