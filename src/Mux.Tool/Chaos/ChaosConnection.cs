using System.Net.Sockets;

namespace Mux.Tool.Chaos;

/// <summary>A connection through the proxy: two sockets, and a pump for each direction.</summary>
internal sealed class ChaosConnection : IDisposable
{
    private const int DrawsPerConnection = 3; // rows of random numbers: its own, and one for each direction

    // Longer than any system waits that still answers, shorter than Linux tries (two minutes).
    private static readonly TimeSpan s_dialTimeout = TimeSpan.FromSeconds(10);

    private readonly ChaosSwitch _switch;
    private readonly ChaosOptions _options;
    private readonly Socket _client;
    private readonly Socket _server = new(SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _ended;
    private readonly double _draw;
    private int _endedSenders;
    private volatile bool _isSevered;
    private int _isOver;

    /// <param name="number">Its number, from 1 in the order of arrival.</param>
    /// <param name="client">The accepted socket.</param>
    /// <param name="proxy">Options of the proxy.</param>
    /// <param name="faults">The plan in force.</param>
    /// <param name="clock">Clock of the proxy.</param>
    /// <param name="all">Counts of all connections.</param>
    /// <param name="stopping">Ends all connections.</param>
    public ChaosConnection(
        int number, Socket client, ChaosOptions proxy, ChaosSwitch faults, ChaosClock clock, ChaosTally all, CancellationToken stopping)
    {
        (Number, _client, _options, _switch, Clock) = (number, client, proxy, faults, clock);
        Client = client.RemoteEndPoint?.ToString() ?? "";
        Tally = new ChaosTally(all);
        _ended = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        Ended = _ended.Token;
        _draw = Draws(0).Next();
        _client.NoDelay = _server.NoDelay = true;
    }

    public int Number { get; }

    /// <summary>Address of the client.</summary>
    public string Client { get; }

    public ChaosTally Tally { get; }

    public ChaosClock Clock { get; }

    public CancellationToken Ended { get; }

    /// <summary>True if it has the faults of the plan now.</summary>
    public bool IsStruck => _switch.IsStruck(_draw);

    public ChaosFaults Faults(ChaosWay way) => _switch.Faults(_draw, way);

    public Task ChangedAsync(ChaosWay way, ChaosFaults seen) => _switch.ChangedAsync(_draw, way, seen, Ended);

    /// <summary>Connects to the server and carries bytes until both directions have ended.</summary>
    /// <returns>Why the server cannot be reached; null if it was.</returns>
    public async Task<string?> RunAsync()
    {
        try
        {
            if (await DialAsync().ConfigureAwait(false) is { } failure)
            {
                Reset();
                return failure;
            }

            var up = new ChaosPump(this, ChaosWay.Upstream, _client, _server, new DelayLine(_options.BufferBytes), Draws(1));
            var down = new ChaosPump(this, ChaosWay.Downstream, _server, _client, new DelayLine(_options.BufferBytes), Draws(2));
            await Task.WhenAll(up.ReadAsync(), up.SendAsync(), down.ReadAsync(), down.SendAsync()).ConfigureAwait(false);
            return null;
        }
        finally
        {
            Dispose();
        }
    }

    /// <summary>Closes it at both sides.</summary>
    public void Dispose()
    {
        End(isReset: false);
        _server.Dispose();
        _ended.Dispose();
    }

    /// <summary>Resets it at both sides.</summary>
    public void Reset() => End(isReset: true);

    /// <summary>Called when a sender has ended its stream. A half-open connection passes no end on, so it is over when both have.</summary>
    public void OnSenderEnded(bool isSevered)
    {
        if (isSevered) _isSevered = true;
        if (Interlocked.Increment(ref _endedSenders) == 2 && _isSevered) End(isReset: true);
    }

    private async Task<string?> DialAsync()
    {
        try
        {
            using var patience = CancellationTokenSource.CreateLinkedTokenSource(Ended);
            patience.CancelAfter(s_dialTimeout);
            await _server.ConnectAsync(_options.Target.Host, _options.Target.Port, patience.Token).ConfigureAwait(false);
            return null;
        }
        catch (SocketException error)
        {
            return error.Message;
        }
        catch (OperationCanceledException)
        {
            return Ended.IsCancellationRequested ? "the proxy stops" : $"no answer within {s_dialTimeout.TotalSeconds} s";
        }
    }

    private SeededDraws Draws(int row) => new(_options.Seed, (Number * DrawsPerConnection) + row);

    private void End(bool isReset)
    {
        if (Interlocked.Exchange(ref _isOver, 1) != 0) return;
        _ended.Cancel();
        if (isReset)
        {
            ResetAtClose(_client);
            ResetAtClose(_server);
        }

        _client.Dispose();
        _server.Dispose();
    }

    private static void ResetAtClose(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(enable: true, seconds: 0);
        }
        catch (SocketException)
        {
            // The peer was faster.
        }
    }
}
