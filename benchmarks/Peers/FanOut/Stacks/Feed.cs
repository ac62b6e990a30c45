namespace FanOut.Stacks;

/// <summary>A server that publishes items to all of its connections.</summary>
internal abstract class Feed : IAsyncDisposable
{
    /// <summary>Length of an item.</summary>
    public const int ItemLength = 64;

    /// <summary>In the order of the table.</summary>
    public static IReadOnlyList<string> Names { get; } = ["mux", "signalr-messagepack", "signalr-json"];

    /// <summary>Of 127.0.0.1.</summary>
    public abstract int Port { get; }

    /// <summary>Bytes that a receiver counts for an item: without what is around several of them.</summary>
    public abstract int CountedLength { get; }

    /// <summary>Number of connections that get what is published.</summary>
    public abstract int Subscribers { get; }

    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <param name="connections">Number of subscribers to come.</param>
    public static Task<Feed> StartAsync(string name, int connections) => name switch
    {
        "mux" => Task.FromResult<Feed>(new TopicFeed(connections)),
        _ => HubFeed.StartAsync(isMessagePack: name == "signalr-messagepack"),
    };

    /// <summary>Publishes as fast as the subscribers get the items.</summary>
    /// <returns>Number of items.</returns>
    public abstract Task<long> PublishAsync(TimeSpan time);

    public abstract ValueTask DisposeAsync();
}
