namespace Mux.Tool.Tests.Contracts;

internal sealed class Shelf : IShelf
{
    public ValueTask<Book> Find(BookQuery query) => new(new Book());

    public IAsyncEnumerable<Book> Watch(BookQuery query, CancellationToken cancellationToken) => AsyncEnumerable.Empty<Book>();

    public ValueTask Drop(Book book) => default;
}
