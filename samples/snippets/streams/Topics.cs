using System.Runtime.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux;

namespace Prices;

[MuxService("market.Prices")]
public interface IPrices
{
    IAsyncEnumerable<Tick> WatchAsync(string symbol, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class Tick : IMuxTopicItem
{
    [DataMember(Order = 1)] public decimal Price { get; set; }
    [DataMember(Order = 2)] public long Sequence { get; set; }
}

public sealed class PriceService(MuxTopics<string, Tick> ticks) : IPrices
{
    public IAsyncEnumerable<Tick> WatchAsync(string symbol, CancellationToken cancellationToken) => ticks.Subscribe(symbol);
}

internal static class PriceHost
{
    public static void Add(HostApplicationBuilder builder)
    {
        builder.Services.AddMuxTopics<string, Tick>(topics => (topics.Retain, topics.WhenSlow) = (1, MuxSlowSubscriber.KeepLatest));
        builder.Services.AddMuxServer("mux://127.0.0.1:7070").AddService<IPrices, PriceService>();
    }

    public static void Publish(MuxTopics<string, Tick> ticks) => ticks.Publish("MSFT", new Tick { Price = 430.25m });

    public static void Publish(MuxTopics<(string Symbol, string Currency), Tick> ticks, string symbol, decimal price, IReadOnlyDictionary<string, decimal> rates)
    {
        foreach (var (currency, rate) in rates) ticks.Publish((symbol, currency), new Tick { Price = price * rate });
    }

    public static async Task FollowAsync(IPrices prices, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            try
            {
                await foreach (var tick in prices.WatchAsync("MSFT", cancellationToken)) Console.WriteLine(tick.Price);
            }
            catch (MuxException error) when (error.Status == MuxStatus.Unavailable)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(100), cancellationToken); // the server stops, or is gone: subscribe at another one
            }
        }
    }
}
