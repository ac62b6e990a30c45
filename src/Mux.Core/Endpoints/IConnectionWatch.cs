using Mux.Connections;

namespace Mux.Endpoints;

/// <summary>Learns of the connections of all pools of a channel. Called outside all locks, on any thread.</summary>
internal interface IConnectionWatch
{
    /// <summary>A connection is open. Its pool has noted it.</summary>
    void OnOpened(Connection connection);

    /// <summary>A connection drains, has ended, or was never open. Its pool has noted it.</summary>
    void OnLeft(Connection connection);
}
