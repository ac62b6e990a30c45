using System.Diagnostics;
using Mux.Runtime;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;

namespace Mux.Tests.Faults;

/// <summary>A server, a channel that nothing happens to, and others; bytes and time move only when the test says so.</summary>
internal sealed class VirtualScene : IDisposable
{
    public static readonly TimeSpan ChannelDeadline = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan s_poolPatience = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_baselinePatience = TimeSpan.FromMilliseconds(100);

    private readonly InMemoryTransport _network;
    private readonly MuxChannel _witness;
    private readonly List<MuxChannel> _channels = [];
    private readonly long _buffers;
    private readonly int _timers;
    private int _witnessed;
    private int _busyPoolThreads; // that are the process's own, for good: the fewest seen

    public VirtualScene(int? seed = null, int largestDelivery = 65_536, Action<MuxServerOptions>? configure = null)
    {
        BufferPool.Poison = true;
        _busyPoolThreads = int.MaxValue;
        SpinWait.SpinUntil(() => LeastBusyPoolThreads() == 0, s_baselinePatience);
        _network = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true, Seed = seed, MaxDeliveryBytes = largestDelivery });
        Transport = new OffsetTransport(_network);
        var options = new MuxServerOptions
        {
            Address = "mux://memory:1",
            Transport = Transport,
            TimeProvider = Time,
            Dispatch = MuxDispatchMode.Inline,
            KeepAliveTime = TimeSpan.FromSeconds(5),
            KeepAliveTimeout = TimeSpan.FromSeconds(2),
            MaxMessageBytes = 1024 * 1024,
        };
        configure?.Invoke(options);
        Server = new MuxServer(options).AddService<IMixed>(Service);
        Server.Start();
        _witness = CreateChannel();
        _channels.Clear();
        Witness = _witness.CreateProxy<IMixed>();
        AssertUnharmed();
        _buffers = BufferPool.Outstanding;
        _timers = Time.ArmedTimers;
    }

    public ManualTime Time { get; } = new();

    public OffsetTransport Transport { get; }

    public MuxServer Server { get; }

    public Mixed Service { get; } = new();

    /// <summary>By the channel that nothing happens to.</summary>
    public IMixed Witness { get; }

    public MuxChannel CreateChannel(Action<MuxChannelOptions>? configure = null)
    {
        var options = new MuxChannelOptions
        {
            Address = "mux://memory:1",
            Transport = Transport,
            TimeProvider = Time,
            Dispatch = MuxDispatchMode.Inline,
            CallTimeout = ChannelDeadline,
            KeepAliveTime = TimeSpan.FromSeconds(5),
            KeepAliveTimeout = TimeSpan.FromSeconds(2),
            MaxMessageBytes = 1024 * 1024,
        };
        configure?.Invoke(options);
        var channel = MuxChannel.Create(options);
        _channels.Add(channel);
        return channel;
    }

    public void Pump() => _network.Pump();

    public bool PumpOne() => _network.PumpOne();

    /// <summary>Moves time in steps, so that what falls due in the one has its effect in the next.</summary>
    public void Advance(TimeSpan by, TimeSpan step)
    {
        for (var passed = TimeSpan.Zero; passed < by; passed += step)
        {
            Time.Advance(step);
            Settle();
        }
    }

    /// <summary>
    /// Lets happen what can happen now, event by event: what an event causes on threads of the pool is over before the next, so that runs are alike. No check may rest on that: a pool
    /// that somebody else keeps busy is not waited for.
    /// </summary>
    public void Settle()
    {
        do AwaitIdlePool();
        while (_network.PumpOne());
    }

    /// <summary>Pumps until the condition holds, without moving time.</summary>
    /// <exception cref="TimeoutException">It does not.</exception>
    public void Reach(Func<bool> condition, Func<string> what)
    {
        long start = Stopwatch.GetTimestamp();
        var spinner = default(SpinWait);
        while (true)
        {
            int events = _network.Pump();
            if (condition()) return;
            if (Stopwatch.GetElapsedTime(start) > s_patience) throw new TimeoutException($"Waited {s_patience.TotalSeconds:F0} s for: {what()}");
            if (events == 0) spinner.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <inheritdoc cref="Reach(Func{bool}, Func{string})"/>
    public void Reach(Func<bool> condition, string what) => Reach(condition, () => what);

    /// <summary>Pumps until a call ended, and takes its result.</summary>
    public T Finish<T>(ValueTask<T> call, string what)
    {
        var task = call.AsTask();
        Reach(() => task.IsCompleted, what);
        return task.GetAwaiter().GetResult();
    }

    /// <summary>The witness is served as ever.</summary>
    public void AssertUnharmed()
    {
        int id = 1_000_000 + ++_witnessed;
        Assert.Equal(id, Finish(Witness.Ask(new Question { Id = id }), "the call of another channel").Id);
    }

    /// <summary>Ends a channel; time moves if it waits for that.</summary>
    public void End(MuxChannel channel)
    {
        var disposal = channel.DisposeAsync().AsTask();
        Settle();
        for (int second = 0; second < 40 && !disposal.IsCompleted; second++) Advance(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        Reach(() => disposal.IsCompleted, "the disposal of a channel");
        var statistics = channel.GetStatistics();
        Assert.True(statistics.CallsActive == 0 && statistics.CallsWaiting == 0 && statistics.OpenConnections == 0, $"The channel ended with {statistics}.");
    }

    /// <summary>Nothing is left of any channel but the witness.</summary>
    public void AssertQuiet()
    {
        for (int second = 0; second < 40 && !IsQuiet(); second++) Advance(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        Reach(IsQuiet, () => $"quiet at the server: {Server.GetStatistics()}, {Service.History.Running} handlers run; {BufferPool.Outstanding} buffers are out, {_buffers} were before; {Time.ArmedTimers} timers are armed, {_timers} were.");
    }

    public void Dispose()
    {
        foreach (var channel in _channels) End(channel);
        AssertQuiet();
        End(_witness);
        Assert.Empty(_network.Connections);
        var stop = Server.StopAsync();
        Reach(() => stop.IsCompleted, "the end of the server");
        Reach(() => Time.ArmedTimers == 0, () => $"{Time.ArmedTimers} timers that are left");
    }

    private void AwaitIdlePool()
    {
        long start = Stopwatch.GetTimestamp();
        var spinner = default(SpinWait);
        while (ThreadPool.PendingWorkItemCount > 0 || BusyPoolThreads() > LeastBusyPoolThreads() || MuxWorkers.Waiting > 0 || ProcessWorkers.Completions.Busy + ProcessWorkers.Overdue.Busy > 0)
        {
            if (Stopwatch.GetElapsedTime(start) > s_poolPatience) return;
            spinner.SpinOnce(sleep1Threshold: -1);
        }
    }

    private int LeastBusyPoolThreads() => _busyPoolThreads = Math.Min(_busyPoolThreads, BusyPoolThreads());

    private static int BusyPoolThreads()
    {
        ThreadPool.GetMaxThreads(out int most, out _);
        ThreadPool.GetAvailableThreads(out int available, out _);
        return most - available;
    }

    private bool IsQuiet() =>
        Server.GetStatistics() is { CallsActive: 0, OpenConnections: 1 } && Service.History.Running == 0 && BufferPool.Outstanding <= _buffers && Time.ArmedTimers <= _timers;
}
