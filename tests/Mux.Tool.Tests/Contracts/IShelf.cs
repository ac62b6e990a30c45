namespace Mux.Tool.Tests.Contracts;

/// <summary>A contract with what a description can show.</summary>
[MuxService("test.Shelf")]
public interface IShelf
{
    [MuxMethod(Idempotent = true, TimeoutMilliseconds = 2000)]
    ValueTask<Book> Find(BookQuery query);

    IAsyncEnumerable<Book> Watch(BookQuery query, CancellationToken cancellationToken = default);

    [MuxMethod(OneWay = true)]
    ValueTask Drop(Book book);
}
