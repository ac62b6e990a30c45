namespace Mux.Transports.InMemory;

/// <summary>A name in the transport at which links are accepted.</summary>
internal sealed class InMemoryListener(InMemoryNetwork network, MuxAddress address, Action<Link> accepted) : ITransportListener
{
    private volatile bool _disposed;

    public MuxAddress Address => address;

    /// <summary>Hands over a link, on the pump.</summary>
    public void Accept(InMemoryLink link)
    {
        if (_disposed)
        {
            link.Close();
            return;
        }

        try
        {
            accepted(link);
        }
        catch (Exception) // by contract it closes the link and nothing else
        {
            link.Close();
        }
    }

    public void Dispose()
    {
        _disposed = true;
        network.Remove(this);
    }
}
