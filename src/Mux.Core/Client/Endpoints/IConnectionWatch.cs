using Mux.Engine;

namespace Mux.Client;

/// <summary>Learns of the connections of all pools of a channel. Called outside all locks, on any thread.</summary>
internal interface IConnectionWatch
{
    /// <summary>A connection is open. Its pool has noted it.</summary>
    void OnOpened(Connection connection);

    /// <summary>A connection drains, has ended, or was never open. Its pool has noted it.</summary>
    void OnLeft(Connection connection);

    /// <summary>
    /// The end of the run of the user's code for a new connection, of this one or the next: null, or how it has failed. After one has ended well, it is that.
    /// </summary>
    Task<ConnectionEnd?> FirstRun { get; }

    /// <summary>The channel is disposed.</summary>
    void Close();
}
