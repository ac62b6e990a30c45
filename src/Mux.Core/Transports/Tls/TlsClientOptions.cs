namespace Mux.Transports.Tls;

/// <summary>How a client speaks TLS. Without any option it trusts what the system trusts. A certificate is only sent to servers that ask for one.</summary>
public sealed class TlsClientOptions : TlsOptions
{
    /// <summary>The name that has to be in the server's certificate, and that the server is asked for.</summary>
    /// <value>A host name or IP address. Null by default: the host of the address.</value>
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
