namespace Mux.Tests.Versions.Before;

/// <summary>A contract as it was; <see cref="After.IOrders"/> is what became of it.</summary>
[MuxService("test.Orders")]
public interface IOrders : IStock
{
    ValueTask<Order> Place(Order order);

    IAsyncEnumerable<Order> List(IAsyncEnumerable<Order> orders);

    ValueTask<Order> Find(string customer);

    ValueTask<Line> Quote(Line line);

    ValueTask<Line?> QuoteOf(int id);

    IAsyncEnumerable<Line> Prices(int count);

    IAsyncEnumerable<Line> Quotes(IAsyncEnumerable<Line> lines);

    ValueTask<int> Retire(int id);
}
