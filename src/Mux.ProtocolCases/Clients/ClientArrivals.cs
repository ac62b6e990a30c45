using System.Threading.Channels;
using Mux.ProtocolCases.Running;
using Mux.Transports;

namespace Mux.ProtocolCases.Clients;

/// <summary>Listens for the client under examination. The transport adds connections on its threads; one thread at a time accepts them.</summary>
internal sealed class ClientArrivals : IDisposable
{
    /// <summary>Maximum number of waiting connections: a client has one at a time, and a client that only retries has no more than these.</summary>
    private const int MaxWaiting = 64;

    private readonly Channel<SpecWire> _waiting =
        Channel.CreateBounded<SpecWire>(new BoundedChannelOptions(MaxWaiting) { FullMode = BoundedChannelFullMode.Wait });
    private readonly ITransportListener _listener;

    /// <exception cref="IOException">The transport cannot listen at the address.</exception>
    /// <exception cref="NotSupportedException">The transport does not support listening at such addresses.</exception>
    public ClientArrivals(ITransport transport, MuxAddress address) => _listener = transport.Listen(address, Add);

    /// <summary>The address it listens at, with the actual port.</summary>
    public MuxAddress Address => _listener.Address;

    /// <summary>Waits for a connection, and leaves it for <see cref="NextAsync"/>.</summary>
    public async Task WaitAsync(CancellationToken deadline) => await _waiting.Reader.WaitToReadAsync(deadline).ConfigureAwait(false);

    /// <summary>
    /// Gets the next connection on which the client has sent bytes. Skips those that it has closed meanwhile,
    /// or given up because nothing was sent on them for too long.
    /// </summary>
    /// <exception cref="SpecFailure">It ended all its connections itself.</exception>
    /// <exception cref="OperationCanceledException">It did not connect.</exception>
    public async Task<SpecWire> NextAsync(CancellationToken deadline)
    {
        for (int dropped = 0; ; dropped++)
        {
            var wire = await TakeAsync(dropped, deadline).ConfigureAwait(false);
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

    private async Task<SpecWire> TakeAsync(int dropped, CancellationToken deadline)
    {
        try
        {
            return await _waiting.Reader.ReadAsync(deadline).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (dropped > 0)
        {
            var count = dropped == 1 ? "a connection" : $"{dropped} connections";
            throw new SpecFailure($"{count} that the client ended itself before this side had answered, and no other one")
            {
                Step = new SpecStep(1, string.Empty, "a connection that lasts"),
            };
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
