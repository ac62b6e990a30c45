namespace Mux.Runtime;

/// <summary>Converts between the address of a TLS transport and the address of its links.</summary>
internal static class TlsAddress
{
    /// <summary><c>mux://host:port</c> for <c>muxs://host:port</c>.</summary>
    public static MuxAddress WithoutTls(MuxAddress address) => WithScheme(address, MuxAddress.TcpScheme);

    /// <summary><c>muxs://host:port</c> for <c>mux://host:port</c>.</summary>
    public static MuxAddress WithTls(MuxAddress address) => WithScheme(address, MuxAddress.TlsScheme);

    /// <summary>Replaces the address of the links in an error message by the address that the user gave.</summary>
    public static IOException Translate(IOException error, MuxAddress address) =>
        new(error.Message.Replace(WithoutTls(address).ToString(), address.ToString(), StringComparison.Ordinal), error.InnerException ?? error);

    private static MuxAddress WithScheme(MuxAddress address, string scheme) =>
        MuxAddress.Parse($"{scheme}{address.WithServerName(null).ToString()[address.Scheme.Length..]}");
}
