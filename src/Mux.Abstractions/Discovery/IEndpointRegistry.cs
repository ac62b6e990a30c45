namespace Mux.Discovery;

/// <summary>Announces a server to a discovery system, so that the sources of that system report it.</summary>
/// <remarks>
/// A server calls <see cref="RegisterAsync"/> once it listens, and <see cref="DeregisterAsync"/> before it drains. An implementation keeps the registration
/// alive in between, and restores it when the system has lost it.
/// </remarks>
public interface IEndpointRegistry
{
    /// <summary>Gets the system and the place of the registration, for logs and errors. Contains no secret.</summary>
    string Name { get; }

    /// <summary>Announces an endpoint. Returns when the system has accepted it.</summary>
    /// <param name="endpoint">The endpoint, with the address at which clients reach it.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="Exception">The system cannot be reached or refuses. The server logs it, serves, and tries again after a pause of 1 to 30 s.</exception>
    Task RegisterAsync(MuxEndpoint endpoint, CancellationToken cancellationToken);

    /// <summary>Withdraws the registration, so that clients stop to choose the server. Does nothing if there is none.</summary>
    /// <param name="cancellationToken">Ends the attempt: a server waits 2 s for it.</param>
    /// <exception cref="Exception">The system cannot be reached or refuses. The server logs it and drains.</exception>
    Task DeregisterAsync(CancellationToken cancellationToken);
}
