using System.Diagnostics;
using Evidence.Recovery;

namespace Evidence.Cold;

/// <summary>Clients with a channel each, which call at an even rate together, and what they notice when their server starts again.</summary>
internal sealed class ManyClients : IAsyncDisposable
{
    /// <summary>Milliseconds of a slot: calls are counted by it.</summary>
    public const int Slot = 50;

    private const int Slots = 1 << 16;

    private static readonly TimeSpan s_betweenCalls = TimeSpan.FromMilliseconds(200);

    private readonly MuxChannel[] _channels;
    private readonly long[] _servedAt;
    private readonly int[] _answered = new int[Slots];
    private readonly long _begin = Stopwatch.GetTimestamp();
    private volatile bool _isOver;
    private Task _running = Task.CompletedTask;
    private long _failed;

    public ManyClients(int port, int count)
    {
        _channels = [.. Enumerable.Range(0, count).Select(_ => MuxChannel.Create(new MuxChannelOptions { Address = $"mux://127.0.0.1:{port}", DrainTimeout = TimeSpan.Zero }))];
        _servedAt = new long[count];
    }

    public int Count => _channels.Length;

    public long Failed => Volatile.Read(ref _failed);

    /// <summary>Milliseconds since the begin.</summary>
    public double Now => Stopwatch.GetElapsedTime(_begin).TotalMilliseconds;

    /// <summary>When the last of the clients was served first since <see cref="ForgetServed"/>, milliseconds since the begin; null while one was not.</summary>
    public double? AllServedAt => Array.IndexOf(_servedAt, 0) < 0 ? _servedAt.Max() : null;

    /// <summary>Calls answered in so many slots from one on.</summary>
    public int AnsweredIn(int slot, int count) => _answered.AsSpan(slot, count).ToArray().Sum();

    public static int SlotOf(double milliseconds) => (int)(milliseconds / Slot);

    /// <summary>Starts them, spread over the time between two calls of one.</summary>
    public void Start() => _running = Task.WhenAll(Enumerable.Range(0, Count).Select(client => Task.Run(() => CallAsync(client))));

    /// <summary>From now on the first reply of each client counts.</summary>
    public void ForgetServed() => Array.Clear(_servedAt);

    public async ValueTask DisposeAsync()
    {
        _isOver = true;
        await Task.WhenAll(_channels.Select(channel => channel.DisposeAsync().AsTask()));
        await _running;
    }

    private async Task CallAsync(int client)
    {
        var presence = _channels[client].CreateProxy<IPresence>();
        await Task.Delay(s_betweenCalls * ((double)client / Count));
        while (!_isOver)
        {
            try
            {
                await presence.Echo(client);
                double now = Now;
                Interlocked.Increment(ref _answered[Math.Min(SlotOf(now), Slots - 1)]);
                Interlocked.CompareExchange(ref _servedAt[client], (long)Math.Ceiling(now), 0);
                await Task.Delay(s_betweenCalls);
            }
            catch (MuxException)
            {
                Interlocked.Increment(ref _failed); // the next call waits for the next dial
            }
        }
    }
}
