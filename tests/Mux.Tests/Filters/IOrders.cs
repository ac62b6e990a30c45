namespace Mux.Tests.Filters;

/// <summary>A service whose requests have rules.</summary>
[MuxService("test.ValidOrders")]
public interface IOrders
{
    ValueTask Place(PlacedOrder order);
}
