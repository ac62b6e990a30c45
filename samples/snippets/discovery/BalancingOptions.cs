using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Shop;

public static class BalancingOptions
{
    public static void AddBalancedStock(this IServiceCollection services) =>
        services.AddKeyedMuxClient("stock", "mux+dns://stock.prod:7070", client => client.Balancing.Zone = "eu-1a").AddProxy<IStock>();

    public static async Task<int> CountAsync(IStock stock, string article, CancellationToken cancellationToken)
    {
        using (new MuxCallOptions { Key = article }.Apply()) return await stock.CountAsync(article, cancellationToken); // the same server for each article
    }
}
