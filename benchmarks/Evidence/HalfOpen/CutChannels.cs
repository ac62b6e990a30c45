using System.Diagnostics;
using Evidence.Fleets;

namespace Evidence.HalfOpen;

/// <summary>Three channels of one server: one waits for a reply, one calls on and on, and one is idle.</summary>
internal sealed class CutChannels : IAsyncDisposable
{
    private const int Never = 600_000; // ms

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly MuxChannel[] _channels;
    private readonly IFleet _waiting, _calling, _idle;
    private Task<long> _failedWaiting = Task.FromResult(0L);
    private Task<long> _failedCalling = Task.FromResult(0L);

    public CutChannels(FleetServer server, int keepAlive, int keepAliveTimeout)
    {
        _channels = [.. Enumerable.Range(0, 3).Select(_ => MuxChannel.Create(new MuxChannelOptions
        {
            Address = server.Address,
            AllowPlaintext = true,
            KeepAliveTime = TimeSpan.FromMilliseconds(keepAlive),
            KeepAliveTimeout = TimeSpan.FromMilliseconds(keepAliveTimeout),
            DrainTimeout = TimeSpan.Zero,
        }))];
        IFleet[] proxies = [.. _channels.Select(channel => channel.CreateProxy<IFleet>())];
        (_waiting, _calling, _idle) = (proxies[0], proxies[1], proxies[2]);
    }

    /// <summary>Opens all and begins to wait and to call.</summary>
    public async Task OpenAsync()
    {
        foreach (var channel in _channels) await channel.ConnectAsync();
        _failedWaiting = FailureAsync(() => _waiting.Hold(Never));
        _failedCalling = FailureAsync(async () =>
        {
            while (true)
            {
                await _calling.Who();
                await Task.Delay(5);
            }
        });
    }

    /// <returns>Milliseconds from a time until the call that waits has failed.</returns>
    public async Task<double> WaitingEndsAsync(long since) => HalfOpenTable.Milliseconds(since, await _failedWaiting.WaitAsync(s_patience));

    /// <returns>Milliseconds from a time until one of the calls has failed that are made on and on.</returns>
    public async Task<double> CallingFailsAsync(long since) => HalfOpenTable.Milliseconds(since, await _failedCalling.WaitAsync(s_patience));

    /// <returns>Milliseconds that a call takes to fail, which is made only now.</returns>
    public async Task<double> IdleFailsAsync()
    {
        long start = Stopwatch.GetTimestamp();
        return HalfOpenTable.Milliseconds(start, await FailureAsync(_idle.Who).WaitAsync(s_patience));
    }

    /// <returns>Milliseconds until a call of each has succeeded.</returns>
    public async Task<double> RecoverAsync()
    {
        long start = Stopwatch.GetTimestamp();
        await Task.WhenAll(new[] { _waiting, _calling, _idle }.Select(async fleet =>
        {
            while (true)
            {
                try
                {
                    await fleet.Who();
                    return;
                }
                catch (MuxException) when (Stopwatch.GetElapsedTime(start) < s_patience)
                {
                    // The next call waits for the next dial.
                }
            }
        }));
        return HalfOpenTable.Milliseconds(start, Stopwatch.GetTimestamp());
    }

    /// <returns>When the server had no connection any more.</returns>
    public long CountsNone(FleetServer server)
    {
        long start = Stopwatch.GetTimestamp();
        while (server.CountConnections() > 0)
        {
            if (Stopwatch.GetElapsedTime(start) > s_patience) throw new EvidenceException($"The server has connections {s_patience.TotalSeconds:F0} s after the cable was pulled.");
            Thread.Sleep(20);
        }

        return Stopwatch.GetTimestamp();
    }

    public async ValueTask DisposeAsync() => await Task.WhenAll(_channels.Select(channel => channel.DisposeAsync().AsTask()));

    private static async Task<long> FailureAsync(Func<ValueTask<int>> call)
    {
        try
        {
            await call();
            throw new EvidenceException("A call over a cut cable was answered.");
        }
        catch (MuxException)
        {
            return Stopwatch.GetTimestamp();
        }
    }
}
