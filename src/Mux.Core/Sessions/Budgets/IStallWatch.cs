namespace Mux.Sessions.Budgets;

/// <summary>Looks at what all connections of a server hold unsent while a peer takes no bytes. Safe for concurrent use.</summary>
internal interface IStallWatch
{
    /// <summary>The peer of a connection takes no bytes. Called under the lock of that connection.</summary>
    void OnStalled(long now);
}
