namespace Mux.Transports;

/// <summary>
/// A link upon which another protocol can be put, such as TLS, that cannot always read what comes. Connections never pause a link: replies and credit must always get through.
/// </summary>
internal interface ICarrierLink
{
    /// <summary>Whether received bytes wait in the operating system, beside those that are being delivered. From any thread.</summary>
    bool HasInputWaiting { get; }

    /// <summary>Inside <see cref="ILinkHandler.OnReceived"/>: nothing is delivered any more until <see cref="Resume"/>, which has to come, also after <see cref="Link.Close"/>.</summary>
    void Pause();

    /// <summary>Goes on. From any thread, once for each <see cref="Pause"/>.</summary>
    void Resume();
}
