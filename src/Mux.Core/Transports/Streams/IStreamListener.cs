namespace Mux.Transports.Streams;

/// <summary>Accepts connections at one address for a <see cref="StreamTransport"/>, one call at a time.</summary>
public interface IStreamListener : IDisposable
{
    /// <summary>The address it listens at, with the real port where 0 was asked for.</summary>
    MuxAddress Address { get; }

    /// <summary>The next connection. Disposing the listener ends it by any exception.</summary>
    /// <param name="cancellationToken">Cancelled when the listener is about to be disposed.</param>
    /// <exception cref="Exception">This accept failed. It is logged, and after a pause of 50 ms to 1 s the next one begins.</exception>
    ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken);
}
