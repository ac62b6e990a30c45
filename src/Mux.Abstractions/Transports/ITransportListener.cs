namespace Mux.Transports;

/// <summary>A listener at one address. Disposing it stops accepting and releases the address; accepted links remain open.</summary>
/// <remarks>A listener survives every error of a single accept, even if the process has no file handles left: it pauses and tries again.</remarks>
public interface ITransportListener : IDisposable
{
    /// <summary>Gets the address at which it listens, with the actual port if the requested port is 0.</summary>
    MuxAddress Address { get; }
}
