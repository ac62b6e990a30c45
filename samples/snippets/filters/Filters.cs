using System.Collections.Concurrent;
using System.Threading.RateLimiting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Mux;
using Mux.Filters;

namespace Shop.Filtering;

public sealed class AuditFilter(ILogger<AuditFilter> log) : MuxFilter
{
    public override async ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        try
        {
            await next.RunAsync(call);
        }
        finally
        {
            log.LogInformation("{User} called {Method}: {Status} after {Elapsed}", call.User?.Identity?.Name, call.Method.FullName, call.Status, call.Elapsed);
        }
    }
}

public sealed class TenantFilter(Tenants tenants) : MuxFilter
{
    public override bool RunsOn(MuxCallSide side) => side == MuxCallSide.Server;

    public override ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        if (call.Metadata["tenant"] is { } tenant && tenants.Has(tenant)) return next.RunAsync(call);
        call.Fail(MuxStatus.PermissionDenied, "The tenant is missing or unknown."); // the handler does not run
        return default;
    }
}

public sealed class CacheFilter(PriceCache cache) : MuxFilter
{
    public override async ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        if (call.TryGetRequest<PriceQuery>(out var query) && cache.TryGet(query.Article, out var price))
        {
            call.SetResponse(price);
            return;
        }

        await next.RunAsync(call);
        if (query is not null && call.TryGetResponse<Price>(out var found)) cache.Put(query.Article, found);
    }
}

public sealed class TokenFilter(TokenSource tokens) : MuxFilter
{
    public override bool RunsOn(MuxCallSide side) => side == MuxCallSide.Client;

    public override async ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        call.Metadata["token"] = await tokens.GetAsync(call.CancellationToken);
        await next.RunAsync(call);
    }
}

public sealed class MaskingFilter : MuxFilter
{
    public override ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        call.TryWrapResponseStream<Price>(prices => prices.Where(price => !price.IsInternal));
        return next.RunAsync(call);
    }
}

public sealed class AliasFilter(Dictionary<string, string> aliases) : MuxFilter
{
    public override ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        if (call.TryGetArgument("warehouse", out string? warehouse) && aliases.TryGetValue(warehouse, out var name)) call.SetArgument("warehouse", name);
        return next.RunAsync(call);
    }
}

public static class Hosts
{
    public static void AddServer(IServiceCollection services) =>
        services.AddMuxServer("mux://127.0.0.1:7070").AddService<IPriceList, PriceList>()
            .AddLoggingFilter()
            .AddExceptionFilter(map => map
                .Map<KeyNotFoundException>(MuxStatus.NotFound)
                .Map<InvalidOperationException>(MuxStatus.FailedPrecondition, "The price list is closed."))
            .AddRateLimitFilter(caller => RateLimitPartition.GetTokenBucketLimiter(caller, static _ => new TokenBucketRateLimiterOptions
            {
                TokenLimit = 100,
                TokensPerPeriod = 50,
                ReplenishmentPeriod = TimeSpan.FromSeconds(1),
            }))
            .AddFilter<AuditFilter>()
            .AddFilter<IPriceList, TenantFilter>()
            .AddFilter<IPriceList, CacheFilter>(nameof(IPriceList.FindAsync));

    public static void AddClient(IServiceCollection services) =>
        services.AddMuxClient("mux://prices:7070").AddProxy<IPriceList>().AddFilter<TokenFilter>();

    public static MuxServer Start(AuditFilter audit, CacheFilter cache)
    {
        var options = new MuxServerOptions { Address = "mux://127.0.0.1:7070" };
        options.Filters.Add(audit);
        options.Filters.Add<IPriceList>(cache, nameof(IPriceList.FindAsync));
        var server = new MuxServer(options).AddService<IPriceList>(new PriceList());
        server.Start();
        return server;
    }
}

[MuxService("shop.PriceList")]
public interface IPriceList
{
    ValueTask<Price> FindAsync(PriceQuery query, CancellationToken cancellationToken = default);

    IAsyncEnumerable<Price> ListAsync(CancellationToken cancellationToken = default);
}

[System.Runtime.Serialization.DataContract]
public sealed class PriceQuery
{
    [System.Runtime.Serialization.DataMember(Order = 1)]
    public string Article { get; set; } = string.Empty;
}

[System.Runtime.Serialization.DataContract]
public sealed class Price
{
    [System.Runtime.Serialization.DataMember(Order = 1)]
    public int Cents { get; set; }

    [System.Runtime.Serialization.DataMember(Order = 2)]
    public bool IsInternal { get; set; }
}

public sealed class PriceList : IPriceList
{
    public ValueTask<Price> FindAsync(PriceQuery query, CancellationToken cancellationToken) => new(new Price { Cents = query.Article.Length });

    public IAsyncEnumerable<Price> ListAsync(CancellationToken cancellationToken) => AsyncEnumerable.Empty<Price>();
}

public sealed class Tenants
{
    public bool Has(string tenant) => tenant.Length > 0;
}

public sealed class PriceCache
{
    private readonly ConcurrentDictionary<string, Price> _prices = []; // filters run concurrently

    public bool TryGet(string article, out Price? price) => _prices.TryGetValue(article, out price);

    public void Put(string article, Price price) => _prices[article] = price;
}

public sealed class TokenSource
{
    public ValueTask<string> GetAsync(CancellationToken cancellationToken) => new("token");
}
