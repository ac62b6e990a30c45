using Mux.Transports;

namespace Mux.ProtocolCases.Calling;

/// <summary>
/// The transport of one round. It creates one link, and further ones only after the first task of the round. Otherwise a channel that lost its connection among
/// the first three calls would make the rest on another one, where the server expects all three.
/// </summary>
/// <param name="inner">Transport that creates the links. Not owned.</param>
internal sealed class RoundTransport(ITransport inner) : ITransport
{
    private int _links;
    private volatile bool _hasTask;

    /// <summary>Notes the first task: from now on a task may use more than one connection.</summary>
    public void OnTask() => _hasTask = true;

    public Link CreateLink(MuxAddress address)
    {
        if (Interlocked.Increment(ref _links) > 1 && !_hasTask) throw new IOException("The connection of this round ended before its first task came.");
        return inner.CreateLink(address);
    }

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);
}
