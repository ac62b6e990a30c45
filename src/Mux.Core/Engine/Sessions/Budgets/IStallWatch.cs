namespace Mux.Engine;

/// <summary>Watches what all connections of a server hold unsent while a peer does not read. Safe for concurrent use.</summary>
internal interface IStallWatch
{
    /// <summary>The peer of a connection has stopped reading. Called under the lock of that connection.</summary>
    void OnStalled(long now);
}
