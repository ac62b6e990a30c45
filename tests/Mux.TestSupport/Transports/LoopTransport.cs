using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>
/// One thread that owns all links, as an event loop over many sockets would: other threads hand it commands through one queue, it delivers to
/// all links that have input before any of them gets its end of batch, and only it calls handlers.
/// </summary>
/// <remarks>A double that shows that the seam fits such a loop. It moves bytes inside the process. Disposing it ends the thread, not the links.</remarks>
public sealed class LoopTransport : ITransport, IDisposable
{
    private readonly Lock _gate = new(); // guards the commands, the listeners and the wake-up
    private readonly AutoResetEvent _wake = new(initialState: false);
    private readonly Dictionary<MuxAddress, LoopListener> _listeners = [];
    private readonly List<LoopLink> _ready = []; // the loop's: links that have input
    private readonly List<LoopLink> _delivered = []; // the loop's: links that are owed the end of a batch
    private List<(LoopLink Link, LoopCommand Command)> _commands = [];
    private List<(LoopLink Link, LoopCommand Command)> _running = []; // the loop's
    private int _lastPort;
    private bool _disposed;

    public LoopTransport() => new Thread(Run) { IsBackground = true, Name = "loop transport" }.Start();

    public Link CreateLink(MuxAddress address) => new LoopLink(this, address);

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted)
    {
        lock (_gate)
        {
            if (address is { Scheme: MuxAddress.TcpScheme, Port: 0 }) address = address.WithPort(++_lastPort);
            var listener = new LoopListener(this, address, accepted);
            return _listeners.TryAdd(address, listener) ? listener : throw new IOException($"Cannot listen at {address}: the address is in use.");
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed) return;
            _disposed = true;
            _wake.Set();
        }
    }

    internal void Post(LoopLink link, LoopCommand command)
    {
        lock (_gate)
        {
            if (_disposed) return;
            _commands.Add((link, command));
            _wake.Set();
        }
    }

    internal LoopListener? FindListener(MuxAddress address)
    {
        lock (_gate) return _listeners.GetValueOrDefault(address);
    }

    internal void Remove(LoopListener listener)
    {
        lock (_gate)
        {
            if (_listeners.GetValueOrDefault(listener.Address) == listener) _listeners.Remove(listener.Address);
        }
    }

    /// <summary>On the loop: the link gets a delivery in this round.</summary>
    internal void MarkReady(LoopLink link) => _ready.Add(link);

    private void Run()
    {
        while (TakeCommands())
        {
            foreach (var (link, command) in _running) link.Run(command);
            _running.Clear();

            foreach (var link in _ready)
            {
                if (link.Deliver()) _delivered.Add(link);
            }

            foreach (var link in _delivered) link.EndBatch();
            foreach (var link in _ready) link.EndRound();
            _ready.Clear();
            _delivered.Clear();
        }

        _wake.Dispose();
    }

    private bool TakeCommands()
    {
        while (true)
        {
            lock (_gate)
            {
                (_commands, _running) = (_running, _commands);
                if (_running.Count > 0) return true;
                if (_disposed) return false;
            }

            _wake.WaitOne();
        }
    }
}
