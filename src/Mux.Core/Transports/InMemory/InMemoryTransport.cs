namespace Mux.Transports.InMemory;

/// <summary>
/// A network inside the process: the same links as over sockets, without the operating system. For tests of services and clients, which it
/// makes fast, and where wanted repeatable to the byte.
/// </summary>
/// <remarks>
/// <para>All links of one transport share one queue of events and one pump, which runs the callbacks of all of them one after the other, in the order
/// in which they were caused. By default the pump runs on the thread pool while there is something to do: plain <c>await</c> just works, but a handler
/// that <i>blocks</i> waiting for another call over the same transport waits for ever. With <see cref="InMemoryTransportOptions.ManualPump"/> the test
/// pumps, on its own thread, event by event if it likes; with <see cref="InMemoryTransportOptions.Seed"/> the bytes arrive in random pieces, the same
/// for the same seed.</para>
/// <para>An address is a name: only links of the same transport reach its listeners, and only by exactly the same address (<c>localhost</c> is not
/// <c>127.0.0.1</c>). Every scheme will do. <see cref="Link.Close"/> lets the peer receive what was accepted before, then the end of the stream.</para>
/// <para>All members may be called concurrently.</para>
/// </remarks>
/// <example>
/// A server that is cut off in the middle of a transfer, byte by byte, without threads:
/// <code>
/// var transport = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true, MaxDeliveryBytes = 1 });
/// using var listener = transport.Listen(MuxAddress.Parse("mux://server:7070"), link => link.Start(serverHandler));
/// var link = transport.CreateLink(listener.Address);
/// link.Start(clientHandler);
///
/// transport.Pump();                      // both are connected now: clientHandler.OnConnected ran
/// link.Send("hello"u8);
/// transport.PumpOne();                   // the server has received "h"
/// transport.Connections[0].Reset();
/// transport.Pump();                      // both handlers were told: LinkCloseCause.Reset
/// </code>
/// </example>
public sealed class InMemoryTransport : ITransport
{
    private readonly InMemoryNetwork _network;

    /// <summary>A transport with default settings: pumps by itself, delivers as much as possible at once.</summary>
    public InMemoryTransport()
        : this(new InMemoryTransportOptions())
    {
    }

    /// <summary>A transport.</summary>
    /// <param name="options">Copied.</param>
    /// <exception cref="ArgumentException">An option is out of its range; the message names it and the range.</exception>
    public InMemoryTransport(InMemoryTransportOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _network = new InMemoryNetwork(options.Validated());
    }

    /// <summary>The connections of which at least one end is not over, in the order in which they were dialed.</summary>
    public IReadOnlyList<InMemoryConnection> Connections => _network.Connections;

    /// <inheritdoc/>
    public Link CreateLink(MuxAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return new InMemoryLink(_network, address);
    }

    /// <inheritdoc/>
    public ITransportListener Listen(MuxAddress address, Action<Link> accepted)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(accepted);
        return _network.Listen(address, accepted);
    }

    /// <summary>Manual mode: runs everything that is under way on this thread, and what it causes, until nothing is left to do.</summary>
    /// <returns>The number of events: a link that opened, a delivery with its end of batch, a link that became writable or closed.</returns>
    /// <exception cref="InvalidOperationException">The transport pumps by itself, or is being pumped, by another thread or by a caller of this one.</exception>
    public int Pump() => _network.Pump.Pump(int.MaxValue);

    /// <summary>Manual mode: runs the oldest event on this thread.</summary>
    /// <returns>False when there was none.</returns>
    /// <exception cref="InvalidOperationException">The transport pumps by itself, or is being pumped, by another thread or by a caller of this one.</exception>
    public bool PumpOne() => _network.Pump.Pump(1) == 1;
}
