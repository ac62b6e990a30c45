using System.Threading.Channels;
using Mux.ProtocolCases.Running;
using Mux.Transports;

namespace Mux.ProtocolCases.Clients;

/// <summary>Listens for the client under examination. The transport adds connections on its threads; one thread at a time takes them.</summary>
internal sealed class ClientArrivals : IDisposable
{
    /// <summary>A client has one connection at a time; more than these are not of one that tries again.</summary>
    private const int MaxWaiting = 64;

    private readonly Channel<SpecWire> _waiting = Channel
        .CreateBounded<SpecWire>(new BoundedChannelOptions(MaxWaiting) { FullMode = BoundedChannelFullMode.Wait });
    private readonly ITransportListener _listener;

    /// <exception cref="IOException">The address cannot be listened at.</exception>
    /// <exception cref="NotSupportedException">The transport does not listen at such addresses.</exception>
    public ClientArrivals(ITransport transport, MuxAddress address) => _listener = transport.Listen(address, Add);

    /// <summary>Where it listens, with the real port.</summary>
    public MuxAddress Address => _listener.Address;

    /// <summary>Waits for a connection, and leaves it for <see cref="NextAsync"/>.</summary>
    public async Task WaitAsync(CancellationToken deadline) => await _waiting.Reader.WaitToReadAsync(deadline).ConfigureAwait(false);

    /// <summary>The next connection on which the client has spoken. Those that it has given up meanwhile are passed over.</summary>
    public async Task<SpecWire> NextAsync(CancellationToken deadline)
    {
        while (true)
        {
            var wire = await _waiting.Reader.ReadAsync(deadline).ConfigureAwait(false);
            try
            {
                if (await wire.AwaitInputAsync(deadline).ConfigureAwait(false)) return wire;
            }
            catch (OperationCanceledException)
            {
                wire.Close();
                throw new SpecFailure("a connection on which the client says nothing: the dialing side begins, with the preface and HELLO")
                {
                    Step =
                    new SpecStep(1, string.Empty, "the client's preface and HELLO")
                };
            }

            wire.Close();
        }
    }

    public void Dispose()
    {
        _listener.Dispose();
        _waiting.Writer.TryComplete();
        while (_waiting.Reader.TryRead(out var wire)) wire.Close();
    }

    private void Add(Link link)
    {
        var wire = new SpecWire(link);
        if (!_waiting.Writer.TryWrite(wire)) wire.Close();
    }
}
