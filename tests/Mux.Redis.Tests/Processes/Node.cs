using Mux.Backplanes;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Contracts;

namespace Mux.Redis.Tests.Processes;

/// <summary>The shared topics of one server, in the process of the test.</summary>
internal sealed class Node : IAsyncDisposable
{
    /// <summary>The time that Redis has to answer where a test needs that it is noticed not to.</summary>
    public static readonly TimeSpan Soon = TimeSpan.FromSeconds(5);

    private readonly Dictionary<string, int> _published = [];

    public Node(RedisProcess redis, int id, Action<MuxRedisOptions>? configure = null, int retain = 5)
    {
        var options = new MuxRedisOptions { Configuration = redis.Address, Timeout = TimeSpan.FromSeconds(20) }; // no loaded machine is an interruption
        configure?.Invoke(options);
        Id = id;
        Backplane = new RedisBackplane(options, Logs, Meters);
        Ticks = new MuxTopics<string, SharedTick>(new MuxTopicOptions { Backplane = Backplane, Queue = 1024, Retain = retain }.ShareAs<ITicks>(), Meters);
    }

    public int Id { get; }

    public LogCollector Logs { get; } = new();

    public MeterReadings Meters { get; } = new();

    public RedisBackplane Backplane { get; }

    public MuxTopics<string, SharedTick> Ticks { get; }

    /// <returns>Its index.</returns>
    public int Publish(string key)
    {
        int index = _published[key] = _published.GetValueOrDefault(key) + 1;
        Ticks.Publish(key, new SharedTick { Publisher = Id, Index = index });
        return index;
    }

    public Follower Follow(string key) => new(_ => Ticks.Subscribe(key));

    public Task ReachesAsync(BackplaneState state) => Eventually.Holds(() => Backplane.State == state, () => $"{state}; it is {Backplane.State}");

    public long Reading(string instrument) => Meters.Read().Where(reading => reading.Instrument == instrument).Sum(reading => reading.Value);

    /// <summary>Publishes, and waits until a follower has it, retained or not: its subscription is in force.</summary>
    public Task ReachesAsync(string key, Follower follower) => follower.GotAsync(Id, Publish(key));

    public async ValueTask DisposeAsync()
    {
        await Backplane.DisposeAsync();
        Logs.Dispose();
        Meters.Dispose();
    }
}
