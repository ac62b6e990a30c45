namespace Mux.Tests.Versions.After;

/// <summary>Gives back what it gets.</summary>
internal sealed class Orders : IOrders
{
    /// <inheritdoc cref="Before.Orders.Placed"/>
    public List<Order> Placed { get; } = [];

    public ValueTask<int> Count(string item, int shelf) => new(item.Length + shelf);

    public ValueTask<bool> Reserve(string item) => new(true);

    public ValueTask<int> GiveBack(int id) => new(id);

    public IAsyncEnumerable<Order> List(IAsyncEnumerable<Order> orders) => orders;

    public ValueTask<Order> Place(Order order)
    {
        Placed.Add(order);
        return new(order);
    }

    public ValueTask<Order> Find(string customer, int year, string? city) => new(new Order { Customer = customer, Quantity = year, Note = city ?? "nowhere", Discount = 0.5 });

    public ValueTask<Line> Quote(Line line) => new(line);

    public ValueTask<Line?> QuoteOf(int id) => new(new Line { Item = new string('x', id), Price = $"{id}" });

    public IAsyncEnumerable<Line> Prices(int count) => Enumerable.Repeat(new Line { Price = $"{count}" }, count).ToAsyncEnumerable();

    public IAsyncEnumerable<Line> Quotes(IAsyncEnumerable<Line> lines) => lines;

    public ValueTask<int> Cancel(int id) => new(id);
}
