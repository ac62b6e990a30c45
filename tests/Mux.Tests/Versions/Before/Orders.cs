namespace Mux.Tests.Versions.Before;

/// <summary>Gives back what it gets.</summary>
internal sealed class Orders : IOrders
{
    /// <summary>Orders as they came.</summary>
    public List<Order> Placed { get; } = [];

    public ValueTask<int> Count(string item) => new(item.Length);

    public ValueTask<Order> Place(Order order)
    {
        Placed.Add(order);
        return new(order);
    }

    public IAsyncEnumerable<Order> List(IAsyncEnumerable<Order> orders) => orders;

    public ValueTask<Order> Find(string customer) => new(new Order { Customer = customer, Coupon = "old", Quantity = 1 });

    public ValueTask<Line> Quote(Line line) => new(line);

    public ValueTask<Line?> QuoteOf(int id) => new(new Line { Item = new string('x', id), Price = id });

    public IAsyncEnumerable<Line> Prices(int count) => Enumerable.Repeat(new Line { Price = count }, count).ToAsyncEnumerable();

    public IAsyncEnumerable<Line> Quotes(IAsyncEnumerable<Line> lines) => lines;

    public ValueTask<int> Retire(int id) => new(id);
}
