namespace Mux.Transports.Tls;

/// <summary>
/// TLS options of a client. By default the client trusts the roots that the system trusts. It sends its own certificate only to servers that ask for one.
/// </summary>
public sealed class TlsClientOptions : TlsOptions
{
    /// <summary>Gets or sets the name that the server's certificate must contain. The client also sends this name in the handshake (SNI).</summary>
    /// <value>A host name or IP address. Null by default: <see cref="MuxAddress.ServerName"/>, or the host of the address.</value>
    public string? TargetHost { get; set; }

    /// <inheritdoc/>
    public override IEnumerable<OptionFailure> Validate()
    {
        foreach (var failure in base.Validate()) yield return failure;
        if (TargetHost is not null && Uri.CheckHostName(TargetHost) is UriHostNameType.Unknown)
        {
            yield return OptionFailure.OutOfRange(nameof(TargetHost), TargetHost, "a host name or an IP address");
        }
    }
}
