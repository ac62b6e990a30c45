namespace Mux.Push;

/// <summary>
/// Carries calls of groups to other servers. What is sent goes to all servers that subscribe to the group at that moment, also to the sender itself, at most
/// once, and what one server sends to one group comes in this order. Safe for concurrent use.
/// </summary>
internal abstract class GroupRelay
{
    /// <summary>Sends a message to the subscribers of a group. Waits for nothing.</summary>
    /// <param name="group">Name of the group.</param>
    /// <param name="message">The message, which must not change.</param>
    /// <returns>False if it is not sent.</returns>
    public abstract bool TrySend(string group, byte[] message);

    /// <summary>Subscribes to a group. Waits for nothing.</summary>
    /// <param name="group">Name of the group.</param>
    /// <param name="received">Gets the messages, one after the other, but none before this method returns on this thread.</param>
    /// <returns>Ends the subscription when it is disposed.</returns>
    public abstract IDisposable Subscribe(string group, Action<ReadOnlyMemory<byte>> received);

    /// <summary>A message has come that is not what a server of Mux writes: it is skipped.</summary>
    /// <param name="group">Name of the group.</param>
    /// <param name="reason">What is wrong with it.</param>
    public abstract void OnUnreadable(string group, string reason);
}
