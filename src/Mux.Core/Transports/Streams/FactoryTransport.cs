namespace Mux.Transports.Streams;

/// <summary>Connects by a delegate of the user's.</summary>
internal sealed class FactoryTransport(Func<MuxAddress, CancellationToken, ValueTask<StreamConnection>> connect) : StreamTransport
{
    protected override ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken) => connect(address, cancellationToken);

    protected override void CheckAddress(MuxAddress address)
    {
        // The delegate knows which it speaks, and may fail at any other.
    }
}
