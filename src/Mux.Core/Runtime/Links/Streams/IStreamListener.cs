namespace Mux.Transports.Streams;

/// <summary>Accepts connections at one address for a <see cref="StreamTransport"/>, one call at a time.</summary>
public interface IStreamListener : IDisposable
{
    /// <summary>Gets the address at which it listens, with the actual port if the requested port is 0.</summary>
    MuxAddress Address { get; }

    /// <summary>Accepts the next connection. When the listener is disposed, it throws; any exception will do.</summary>
    /// <param name="cancellationToken">Cancelled when the listener is about to be disposed.</param>
    /// <exception cref="Exception">This accept failed. The failure is logged, and the next accept begins after a pause of 50 ms to 1 s.</exception>
    ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken);
}
