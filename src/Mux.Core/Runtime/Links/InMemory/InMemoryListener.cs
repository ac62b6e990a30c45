using Mux.Transports;

namespace Mux.Runtime;

/// <summary>An address within the transport at which links are accepted.</summary>
internal sealed class InMemoryListener(MuxAddress address, Action<Link> accepted, Action<InMemoryListener> disposed) : ITransportListener
{
    private volatile bool _disposed;

    public MuxAddress Address => address;

    /// <summary>Passes a link to the callback, on the pump.</summary>
    public void Accept(Link link)
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
        disposed(this);
    }
}
