using System.Runtime.Serialization;
using Mux;

namespace Shop;

[MuxService("shop.Accounts", Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 5_000)]
public interface IAccounts
{
    ValueTask<decimal> BookAsync(Booking booking, CancellationToken cancellationToken = default); // its key is Booking.Account

    ValueTask CloseAsync([MuxKey] long account, CancellationToken cancellationToken = default);

    [MuxMethod(Dispatch = MuxDispatchMode.Adaptive)]
    ValueTask<int> CountAsync(CancellationToken cancellationToken = default); // in no order
}

[DataContract]
public sealed class Booking
{
    [DataMember(Order = 1), MuxKey]
    public long Account { get; set; }

    [DataMember(Order = 2)]
    public decimal Amount { get; set; }
}

public sealed class Accounts : IAccounts
{
    private readonly System.Collections.Concurrent.ConcurrentDictionary<long, decimal> _balances = new();

    public async ValueTask<decimal> BookAsync(Booking booking, CancellationToken cancellationToken)
    {
        decimal balance = _balances.GetValueOrDefault(booking.Account) + booking.Amount;
        await Task.Delay(1, cancellationToken); // to a database
        return _balances[booking.Account] = balance; // no other call of the account has run meanwhile
    }

    public ValueTask CloseAsync(long account, CancellationToken cancellationToken)
    {
        _balances.TryRemove(account, out _);
        return default;
    }

    public ValueTask<int> CountAsync(CancellationToken cancellationToken) => new(_balances.Count);
}
