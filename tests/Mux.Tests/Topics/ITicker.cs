namespace Mux.Tests.Topics;

/// <summary>Topics by symbol.</summary>
[MuxService("test.Ticker")]
public interface ITicker
{
    IAsyncEnumerable<Tick> Watch(string symbol, CancellationToken cancellationToken = default);

    IAsyncEnumerable<Tick> WatchToo(string symbol, CancellationToken cancellationToken = default);

    /// <summary>The items that follow one.</summary>
    IAsyncEnumerable<Tick> WatchAfter(string symbol, long after, CancellationToken cancellationToken = default);

    /// <summary>Every item of the topic, changed by the service.</summary>
    IAsyncEnumerable<string> Describe(string symbol, CancellationToken cancellationToken = default);
}
