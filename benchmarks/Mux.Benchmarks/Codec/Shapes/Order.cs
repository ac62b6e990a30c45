using System.Runtime.Serialization;

namespace Mux.Benchmarks.Codec.Shapes;

/// <summary>Nested messages: one, and a list of three.</summary>
[DataContract]
public sealed class Order
{
    [DataMember(Order = 1)]
    public long Id { get; set; }

    [DataMember(Order = 2)]
    public Party? Customer { get; set; }

    [DataMember(Order = 3)]
    public List<OrderLine>? Lines { get; set; }

    [DataMember(Order = 4)]
    public string? Currency { get; set; }

    public static Order Example() => new()
    {
        Id = 123_456,
        Customer = new Party { Name = "Nancy Davolio", City = "Seattle" },
        Lines = [.. Enumerable.Range(1, 3).Select(static i => new OrderLine { Product = $"sku-{i}", Count = i, Price = 9.5 * i })],
        Currency = "EUR",
    };

    /// <summary>Twenty lines that make a message of 1 KiB.</summary>
    public static Order LargeExample()
    {
        var order = Example();
        order.Lines = [.. Enumerable.Range(1, 20).Select(static i => new OrderLine { Product = $"article {i:d4} of the catalogue for 2026", Count = i, Price = 9.5 * i })];
        return order;
    }
}
