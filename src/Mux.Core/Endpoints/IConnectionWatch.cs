using Mux.Connections;
using Mux.Sessions.Lifecycle;

namespace Mux.Endpoints;

/// <summary>Learns of the connections of all pools of a channel. Called outside all locks, on any thread.</summary>
internal interface IConnectionWatch
{
    /// <summary>A connection is open. Its pool has noted it.</summary>
    void OnOpened(Connection connection);

    /// <summary>A connection drains, has ended, or was never open. Its pool has noted it.</summary>
    void OnLeft(Connection connection);

    /// <summary>Waits until the user's code for a new connection has ended once.</summary>
    /// <returns>Null, or how it has failed.</returns>
    Task<ConnectionEnd?> WaitForFirstRunAsync(CancellationToken cancellationToken);

    /// <summary>The channel is disposed.</summary>
    void Close();
}
