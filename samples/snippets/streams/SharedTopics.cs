using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux;

namespace Prices;

public readonly record struct Desk(string City, int Number);

internal static class SharedPriceHost
{
    public static void Add(HostApplicationBuilder builder)
    {
        builder.Services.AddMuxRedis("cache:6379");
        builder.Services.AddMuxTopics<string, Tick>(topics =>
        {
            topics.Retain = 1;
            topics.ShareAs<IPrices>();
        });
        builder.Services.AddMuxServer("mux://127.0.0.1:7070").AddService<IPrices, PriceService>();
    }

    public static void AddByDesk(IServiceCollection services) =>
        services.AddMuxTopics<Desk, Tick>(topics => topics.ShareAs<IPrices>().NameKeys<Desk>(desk => $"{desk.City}/{desk.Number}"));
}
