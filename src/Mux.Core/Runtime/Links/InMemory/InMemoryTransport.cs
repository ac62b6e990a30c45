using Mux.Runtime;

namespace Mux.Transports.InMemory;

/// <summary>
/// A network inside the process, with the same links as over sockets but without the operating system. Tests of services and clients over it are fast, and
/// repeatable to the byte if needed.
/// </summary>
/// <remarks>
/// <para>All links of one transport share one queue of events and one pump. The pump runs the callbacks of all links one after the other, in the order of their
/// causes; user code that blocks in one of them for more than a few milliseconds loses the pump to another thread, as over sockets.</para>
/// <para>By default the pump runs on a thread of Mux while there are events: <c>await</c> works as usual, and code that blocks all threads of the .NET thread
/// pool until its calls are answered gets the answers. With
/// <see cref="InMemoryTransportOptions.ManualPump"/>, the test runs all events, or one at a time, on its own thread: a handler that <i>blocks</i> on another
/// call over the same transport then waits forever. With
/// <see cref="InMemoryTransportOptions.Seed"/> the bytes arrive in random pieces, the same pieces for the same seed.</para>
/// <para>An address is a name, of any scheme. Only links of the same transport reach its listeners, and only by exactly the same address: <c>localhost</c> is
/// not <c>127.0.0.1</c>. After <see cref="Link.Close"/> the peer receives all bytes that were accepted before, then the end of the stream.</para>
/// <para>All members may be called concurrently.</para>
/// </remarks>
/// <example>
/// This test cuts off a server in the middle of a transfer, byte by byte, without threads:
/// <code>
/// var transport = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true, MaxDeliveryBytes = 1 });
/// using var listener = transport.Listen(MuxAddress.Parse("mux://server:7070"), link => link.Start(serverHandler));
/// var link = transport.CreateLink(listener.Address);
/// link.Start(clientHandler);
///
/// transport.Pump();                      // both are connected: clientHandler.OnConnected ran
/// link.Send("hello"u8);
/// transport.PumpOne();                   // the server has received "h"
/// transport.Connections[0].Reset();
/// transport.Pump();                      // both handlers were called: LinkCloseCause.Reset
/// </code>
/// </example>
public sealed class InMemoryTransport : ITransport
{
    private readonly InMemoryNetwork _network;

    /// <summary>Creates a transport with default options: it pumps automatically and delivers as much as possible at once.</summary>
    public InMemoryTransport()
        : this(new InMemoryTransportOptions())
    {
    }

    /// <summary>Creates a transport.</summary>
    /// <param name="options">The options; copied.</param>
    /// <exception cref="ArgumentException">An option is out of its range; the message names it and the range.</exception>
    public InMemoryTransport(InMemoryTransportOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _network = new InMemoryNetwork(options.Validated());
    }

    /// <summary>Gets the connections that are open at one end or both, in the order in which they were dialed.</summary>
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

    /// <summary>In manual mode: runs all events and the events that they cause, on this thread, until none is left.</summary>
    /// <returns>The number of events: a link that opened, a delivery with its end of batch, a link that became writable or closed.</returns>
    /// <exception cref="InvalidOperationException">The transport pumps automatically, or it is being pumped: by another thread, or by this thread further up
    /// its stack.</exception>
    public int Pump() => _network.Pump.Pump(int.MaxValue);

    /// <summary>In manual mode: runs the oldest event on this thread.</summary>
    /// <returns>False if there was none.</returns>
    /// <exception cref="InvalidOperationException">The transport pumps automatically, or it is being pumped: by another thread, or by this thread further up
    /// its stack.</exception>
    public bool PumpOne() => _network.Pump.Pump(1) == 1;
}
