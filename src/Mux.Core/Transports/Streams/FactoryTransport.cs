namespace Mux.Transports.Streams;

/// <summary>Connects with a delegate that the user supplies.</summary>
internal sealed class FactoryTransport(Func<MuxAddress, CancellationToken, ValueTask<StreamConnection>> connect) : StreamTransport
{
    protected override ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken) => connect(address, cancellationToken);

    protected override void CheckAddress(MuxAddress address)
    {
        // The delegate knows its addresses, and fails for all others.
    }
}
