using System.Diagnostics;

namespace Evidence.Recovery;

/// <summary>A channel whose callers call on and on, and notice when they are served again.</summary>
internal sealed class RecoveringChannel : IAsyncDisposable
{
    public const int Callers = 32;

    private static readonly TimeSpan s_betweenCalls = TimeSpan.FromMilliseconds(20); // the machine is to be free for what recovers

    private readonly MuxChannel _channel;
    private readonly Task[] _running;
    private readonly long[] _servedAt = new long[Callers];
    private volatile int _loss; // a number for each time the server went away
    private volatile bool _isOver;
    private int _left;
    private TaskCompletionSource _allServed = new();

    public RecoveringChannel(int port, int connections)
    {
        Connections = connections;
        _channel = MuxChannel.Create(new MuxChannelOptions { Address = $"mux://127.0.0.1:{port}", MinConnections = connections, MaxConnections = connections, DrainTimeout = TimeSpan.Zero });
        var sut = _channel.CreateProxy<IPresence>();
        Expect();
        _running = [.. Enumerable.Range(0, Callers).Select(caller => Task.Run(() => CallAsync(sut, caller)))];
    }

    public int Connections { get; }

    /// <summary>Completes when every caller was served since <see cref="Expect"/>.</summary>
    public Task AllServed => _allServed.Task;

    /// <summary>When the last of the callers was.</summary>
    public long ServedAt => _servedAt.Max();

    /// <summary>From now on replies to calls that are made from now on count.</summary>
    public void Expect()
    {
        _left = Callers;
        _allServed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _loss++;
    }

    public async ValueTask DisposeAsync()
    {
        _isOver = true;
        await _channel.DisposeAsync();
        await Task.WhenAll(_running);
    }

    private async Task CallAsync(IPresence sut, int caller)
    {
        int served = 0;
        while (!_isOver)
        {
            int loss = _loss;
            try
            {
                await sut.Echo(caller);
            }
            catch (MuxException)
            {
                continue; // the next call waits for the next dial
            }

            if (served != loss)
            {
                served = loss;
                _servedAt[caller] = Stopwatch.GetTimestamp();
                if (Interlocked.Decrement(ref _left) == 0) _allServed.TrySetResult();
            }

            await Task.Delay(s_betweenCalls);
        }
    }
}
