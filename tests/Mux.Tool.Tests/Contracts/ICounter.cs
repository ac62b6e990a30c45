namespace Mux.Tool.Tests.Contracts;

/// <summary>A contract with a method that calls its caller back.</summary>
[MuxService("test.Counter")]
public interface ICounter
{
    ValueTask Offer(BookQuery query, ITeller teller, CancellationToken cancellationToken = default);
}
