using Mux.Runtime;

namespace Mux.Transports.InMemory;

/// <summary>
/// A connection of an <see cref="InMemoryTransport"/>, with which a test can cut or stall it. All members may be called concurrently.
/// </summary>
public sealed class InMemoryConnection
{
    private readonly InMemoryNetwork _network;
    private readonly InMemoryLink _dialer;
    private readonly InMemoryLink _acceptor;

    internal InMemoryConnection(InMemoryNetwork network, MuxAddress address, InMemoryLink dialer, InMemoryLink acceptor)
    {
        _network = network;
        Address = address;
        _dialer = dialer;
        _acceptor = acceptor;
    }

    /// <summary>Gets the address to which the client connected.</summary>
    public MuxAddress Address { get; }

    /// <summary>Breaks the connection. Bytes that were sent and not delivered are lost; both links end with <see cref="LinkCloseCause.Reset"/>.</summary>
    public void Reset()
    {
        using (_network.Pump.Enter())
        {
            var error = new IOException($"The connection to {Address} was reset by the test.");
            _dialer.BreakLocked(error);
            _acceptor.BreakLocked(error);
        }
    }

    /// <summary>
    /// Stops deliveries in one direction, the end of stream included, until <see cref="Release"/>. Returns without waiting for a delivery that is running.
    /// </summary>
    public void Hold(InMemoryDirection direction)
    {
        using (_network.Pump.Enter()) ReaderOf(direction).HoldLocked();
    }

    /// <summary>Resumes the deliveries of one direction. Has no effect if they were not held.</summary>
    public void Release(InMemoryDirection direction)
    {
        using (_network.Pump.Enter()) ReaderOf(direction).ReleaseLocked();
    }

    private InMemoryLink ReaderOf(InMemoryDirection direction) => direction switch
    {
        InMemoryDirection.ToListener => _acceptor,
        InMemoryDirection.ToDialer => _dialer,
        _ => throw new ArgumentOutOfRangeException(nameof(direction), direction, "Not a direction."),
    };
}
