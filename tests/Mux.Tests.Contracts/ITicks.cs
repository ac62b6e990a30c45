namespace Mux.Tests.Contracts;

/// <summary>A topic that several servers share.</summary>
[MuxService("test.Ticks")]
public interface ITicks
{
    IAsyncEnumerable<SharedTick> Watch(string key, CancellationToken cancellationToken = default);

    /// <summary>Publishes items with the next numbers of a publisher.</summary>
    ValueTask Publish(string key, int publisher, int first, int count, CancellationToken cancellationToken = default);
}
