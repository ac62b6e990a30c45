using Mux;

namespace Shop;

public static class Repeats
{
    public static MuxChannel Create() =>
        MuxChannel.Create(new MuxChannelOptions
        {
            Address = "mux://orders:7070",
            Resilience =
            {
                Attempts = 3,
                Methods = { ["shop.Orders/Find"] = new() { Hedge = MuxHedge.P95, Statuses = [MuxStatus.Unavailable, MuxStatus.Aborted] } },
            },
        });
}

[MuxService("shop.Prices")]
public interface IPrices
{
    [MuxMethod(Idempotent = true)]
    ValueTask<int> FindAsync(string article, CancellationToken cancellationToken = default);

    ValueTask ChangeAsync(string article, int price, CancellationToken cancellationToken = default); // runs at most once
}
