namespace Mux.Tool.Serving;

/// <summary>
/// Says in failures of the library what the user of a command can do: the library names its options, which a command
/// line does not have.
/// </summary>
internal static class FlagNames
{
    private static readonly (string OfLibrary, string OfTool)[] s_advice =
    [
        ("The channel has no credentials: set Credentials in its options, or SharedKey in its configuration.",
            "Give a --shared-key or a --bearer."),
        ("this channel has none: set Tls.CertificatePath, Tls.CertificateStore or Tls.Certificate",
            "the tool has none: give a --certificate"),
        ("Allow more time: Timeout of the call, TimeoutMilliseconds in its contract, CallTimeout of the channel, or the deadline that it " +
            "inherits from the call that it was made in.", "Allow more time with --timeout."),
        ("to allow more, raise CallTimeout of the channel.", "to allow more, give a longer --timeout."),
        ("EpollTransportOptions.LoopCount", "--loops"),
        ("EpollTransportOptions.PollTime", "--poll-time"),
        ("TlsClientOptions: TrustedRootsPath:", "--roots:"),
        ("TlsClientOptions: CertificatePath:", "--certificate:"),
        ("TlsClientOptions: CertificateKeyPath:", "--key:"),
        ("TlsServerOptions: CertificatePath:", "--certificate:"),
        ("TlsServerOptions: CertificateKeyPath:", "--certificate-key:"),
        ("MuxServerOptions: Tls:CertificatePath:", "--certificate:"),
    ];

    public static string In(string failure) =>
        s_advice.Aggregate(failure, (text, advice) =>
            text.Replace(advice.OfLibrary, advice.OfTool, StringComparison.Ordinal));
}
