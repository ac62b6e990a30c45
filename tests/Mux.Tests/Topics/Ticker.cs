using System.Runtime.CompilerServices;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Topics;

internal sealed class Ticker(MuxTopicOptions? options = null) : ITicker
{
    public MuxTopics<string, Tick> Ticks { get; } = new(options);

    public Counter Watched { get; } = new("calls that watch");

    public IAsyncEnumerable<Tick> Watch(string symbol, CancellationToken cancellationToken = default)
    {
        Watched.Add();
        return Ticks.Subscribe(symbol);
    }

    public IAsyncEnumerable<Tick> WatchToo(string symbol, CancellationToken cancellationToken = default) => Ticks.Subscribe(symbol);

    public IAsyncEnumerable<Tick> WatchAfter(string symbol, long after, CancellationToken cancellationToken = default) => Ticks.Subscribe(symbol, after);

    public async IAsyncEnumerable<string> Describe(string symbol, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var tick in Ticks.Subscribe(symbol).WithCancellation(cancellationToken)) yield return $"{symbol} {tick.Price}";
    }

    public void Publish(string symbol, int price, int size = 0) => Ticks.Publish(symbol, new Tick { Price = price, Padding = new byte[size] });
}
