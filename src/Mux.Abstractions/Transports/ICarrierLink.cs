namespace Mux.Transports;

/// <summary>
/// Implemented by a <see cref="Link"/> that can carry another protocol, such as TLS: its receiver can be paused while that protocol is busy, for example with
/// the computations of a handshake. Optional: a link without it is closed when more than 256 KiB arrive in the meantime.
/// </summary>
/// <remarks>Connections of Mux never pause a link: replies and credit must always arrive. All members may be called from any thread.</remarks>
public interface ICarrierLink
{
    /// <summary>Gets a value indicating whether received bytes wait in the operating system, in addition to those that are being delivered.</summary>
    bool HasInputWaiting { get; }

    /// <summary>
    /// Stops deliveries until <see cref="Resume"/>. Called inside <see cref="ILinkHandler.OnReceived"/>, at most once before each <see cref="Resume"/>. A
    /// <see cref="Resume"/> always follows, even after <see cref="Link.Close"/>.
    /// </summary>
    void Pause();

    /// <summary>Continues deliveries after <see cref="Pause"/>. Called once for each <see cref="Pause"/>.</summary>
    void Resume();
}
