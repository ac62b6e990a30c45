namespace Mux.Tests.Versions.After;

/// <summary>The contract with methods, parameters and fields more and less, and one field of another type.</summary>
[MuxService("test.Orders")]
public interface IOrders : IReturns, IStock
{
    IAsyncEnumerable<Order> List(IAsyncEnumerable<Order> orders);

    ValueTask<Order> Place(Order order);

    ValueTask<Order> Find(string customer, int year, string? city);

    ValueTask<Line> Quote(Line line);

    ValueTask<Line?> QuoteOf(int id);

    IAsyncEnumerable<Line> Prices(int count);

    IAsyncEnumerable<Line> Quotes(IAsyncEnumerable<Line> lines);

    ValueTask<int> Cancel(int id);
}
