namespace Mux.Transports.InMemory;

/// <summary>An address within the transport at which links are accepted.</summary>
internal sealed class InMemoryListener(InMemoryNetwork network, MuxAddress address, Action<Link> accepted) : ITransportListener
{
    private volatile bool _disposed;

    public MuxAddress Address => address;

    /// <summary>Passes a link to the callback, on the pump.</summary>
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
        catch (Exception) // by contract, an exception of the callback only closes the link
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
