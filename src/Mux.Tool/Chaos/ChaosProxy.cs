using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace Mux.Tool.Chaos;

/// <summary>
/// A TCP proxy that does to connections what networks do: delays, limits of rate, stalls, half-open connections, resets and wrong bits, by a plan that may be
/// replaced while it runs. With the same seed the same connections have faults, and the same bytes of them become wrong. Thread-safe.
/// </summary>
internal sealed class ChaosProxy : IAsyncDisposable
{
    private readonly ChaosOptions _options;
    private readonly ChaosSwitch _switch;
    private readonly Socket _listener;
    private readonly ChaosClock _clock = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly SemaphoreSlim _slots;
    private readonly Lock _gate = new(); // guards the connections and the last failure
    private readonly Dictionary<ChaosConnection, Task> _connections = [];
    private readonly Task _accepting;
    private int _accepted;
    private int _unreachable;
    private string? _lastFailure;

    private ChaosProxy(ChaosOptions options, ChaosPlan plan, Socket listener)
    {
        (_options, _listener) = (options, listener);
        _switch = new ChaosSwitch(plan);
        _slots = new SemaphoreSlim(options.MaxConnections);
        Address = AddressOf((IPEndPoint)listener.LocalEndPoint!, options.Target);
        _accepting = AcceptAsync();
    }

    /// <summary>Address for clients: that of the listener, with the scheme of the target and the name in its certificate.</summary>
    public MuxAddress Address { get; }

    public int Seed => _options.Seed;

    /// <summary>The plan; another one is in force for the next bytes of all connections.</summary>
    public ChaosPlan Plan
    {
        get => _switch.Plan;
        set => _switch.Plan = value;
    }

    /// <summary>Counts of all connections.</summary>
    public ChaosTally Tally { get; } = new();

    /// <summary>Connections accepted so far.</summary>
    public int Accepted => Volatile.Read(ref _accepted);

    /// <summary>Those of them that were reset because the server could not be reached.</summary>
    public int Unreachable => Volatile.Read(ref _unreachable);

    /// <summary>Why the server could not be reached last; null if it always was.</summary>
    public string? LastFailure
    {
        get
        {
            lock (_gate) return _lastFailure;
        }
    }

    /// <summary>Creates a seed for a run that has none.</summary>
    public static int NewSeed() => RandomNumberGenerator.GetInt32(int.MaxValue);

    /// <exception cref="SocketException">It cannot listen there, or the name is unknown.</exception>
    public static ChaosProxy Start(ChaosOptions options, ChaosPlan plan)
    {
        var address = IPAddress.TryParse(options.Listen.Host, out var ip) ? ip : Dns.GetHostAddresses(options.Listen.Host)[0];
        var listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            listener.Bind(new IPEndPoint(address, options.Listen.Port));
            listener.Listen();
            return new ChaosProxy(options, plan, listener);
        }
        catch
        {
            listener.Dispose();
            throw;
        }
    }

    /// <summary>Gets the open connections, in the order of their numbers.</summary>
    public IReadOnlyList<ChaosConnection> Connections()
    {
        lock (_gate) return [.. _connections.Keys.OrderBy(connection => connection.Number)];
    }

    /// <summary>Ends all connections, and returns when nothing of them is left.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        _listener.Dispose();
        Task[] running;
        lock (_gate) running = [.. _connections.Values];
        await Task.WhenAll(running).ConfigureAwait(false);
        _clock.Dispose();
        _slots.Dispose();
        _stopping.Dispose();
    }

    private static MuxAddress AddressOf(IPEndPoint listener, MuxAddress target)
    {
        var address = MuxAddress.Parse($"{target.Scheme}://{listener}");
        return target.Scheme == MuxAddress.TlsScheme ? address.WithServerName(target.ServerName ?? target.Host) : address;
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                await _slots.WaitAsync(_stopping.Token).ConfigureAwait(false);
                Socket? client = null;
                ChaosConnection connection;
                try
                {
                    client = await _listener.AcceptAsync(_stopping.Token).ConfigureAwait(false);
                    connection = new ChaosConnection(_accepted + 1, client, _options, _switch, _clock, Tally, _stopping.Token);
                    _accepted++;
                }
                catch (SocketException) // a client that is gone already; the handles of the process have run out
                {
                    client?.Dispose(); // accepted, but there was no handle for the socket to the server
                    _slots.Release();
                    await Task.Delay(TimeSpan.FromMilliseconds(10), TimeProvider.System, _stopping.Token).ConfigureAwait(false);
                    continue;
                }

                lock (_gate) _connections.Add(connection, Task.CompletedTask);
                var running = RunAsync(connection);
                lock (_gate)
                {
                    if (_connections.ContainsKey(connection)) _connections[connection] = running;
                }
            }
        }
        catch (OperationCanceledException)
        {
            // Disposed.
        }
    }

    private async Task RunAsync(ChaosConnection connection)
    {
        var failure = await connection.RunAsync().ConfigureAwait(false);
        if (failure is not null) Interlocked.Increment(ref _unreachable);
        _slots.Release(); // before it is forgotten: the end of the proxy awaits those that are not
        lock (_gate)
        {
            _connections.Remove(connection);
            _lastFailure = failure ?? _lastFailure;
        }
    }
}
