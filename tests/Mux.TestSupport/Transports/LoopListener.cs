using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>A name at which a <see cref="LoopTransport"/> accepts links.</summary>
internal sealed class LoopListener(LoopTransport loop, MuxAddress address, Action<Link> accepted) : ITransportListener
{
    private volatile bool _disposed;

    public MuxAddress Address => address;

    public void Accept(LoopLink link)
    {
        try
        {
            if (_disposed) link.Close();
            else accepted(link);
        }
        catch (Exception)
        {
            link.Close();
        }
    }

    public void Dispose()
    {
        _disposed = true;
        loop.Remove(this);
    }
}
