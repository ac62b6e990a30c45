using System.Collections.Concurrent;
using System.IO.Pipelines;
using System.Threading.Channels;
using Mux.Transports.Streams;

namespace Mux.TestSupport.Transports.Streams;

/// <summary>Pairs of pipes in memory: the streams transport over <see cref="IDuplexPipe"/>. An address is a name that only links of the same transport reach.</summary>
/// <param name="options">Of the pipe in each direction.</param>
public sealed class PipeTransport(PipeOptions options) : StreamTransport
{
    private readonly ConcurrentDictionary<MuxAddress, Listener> _listeners = [];
    private int _lastPort = 50_000;

    protected override void CheckAddress(MuxAddress address)
    {
        // Every scheme will do.
    }

    protected override async ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken)
    {
        if (!_listeners.TryGetValue(address, out var listener)) throw new IOException("nobody listens");
        var (dialer, acceptor) = StreamPair.Create(options, $"{address}");
        await listener.Backlog.Writer.WriteAsync(acceptor, cancellationToken);
        return dialer;
    }

    protected override IStreamListener Bind(MuxAddress address)
    {
        var bound = address.Port == 0 ? address.WithPort(Interlocked.Increment(ref _lastPort)) : address;
        var listener = new Listener(bound, _listeners);
        return _listeners.TryAdd(bound, listener) ? listener : throw new IOException($"Cannot listen at {address}: the address is in use.");
    }

    private sealed class Listener(MuxAddress address, ConcurrentDictionary<MuxAddress, Listener> listeners) : IStreamListener
    {
        public Channel<StreamConnection> Backlog { get; } = Channel.CreateBounded<StreamConnection>(1_000);

        public MuxAddress Address => address;

        public ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken) => Backlog.Reader.ReadAsync(cancellationToken);

        public void Dispose()
        {
            listeners.TryRemove(KeyValuePair.Create(address, this));
            Backlog.Writer.TryComplete();
        }
    }
}
