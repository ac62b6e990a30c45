namespace Mux.Transports.Tls;

/// <summary>Between an address and that of the links below TLS.</summary>
internal static class TlsAddress
{
    /// <summary><c>mux://host:port</c> for <c>muxs://host:port</c>.</summary>
    public static MuxAddress WithoutTls(MuxAddress address) => WithScheme(address, MuxAddress.TcpScheme);

    /// <summary><c>muxs://host:port</c> for <c>mux://host:port</c>.</summary>
    public static MuxAddress WithTls(MuxAddress address) => WithScheme(address, MuxAddress.TlsScheme);

    /// <summary>An error of the links, which names their address, with the one that people have given.</summary>
    public static IOException Translate(IOException error, MuxAddress address) =>
        new(error.Message.Replace(WithoutTls(address).ToString(), address.ToString(), StringComparison.Ordinal), error.InnerException ?? error);

    private static MuxAddress WithScheme(MuxAddress address, string scheme) => MuxAddress.Parse($"{scheme}{address.ToString()[address.Scheme.Length..]}");
}
