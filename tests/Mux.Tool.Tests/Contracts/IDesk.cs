namespace Mux.Tool.Tests.Contracts;

/// <summary>A contract with each shape of methods.</summary>
[MuxService("test.Desk")]
public interface IDesk
{
    [MuxError<BookQuery>(7)]
    ValueTask<Book> Find(BookQuery query, MuxCallOptions? options = null);

    ValueTask Close();

    [MuxMethod(OneWay = true)]
    ValueTask Drop(Book book);

    ValueTask<Book> Bind(IAsyncEnumerable<Book> books, CancellationToken cancellationToken = default);

    ValueTask<Book> BindAs(BookQuery query, IAsyncEnumerable<Book> books, CancellationToken cancellationToken = default);

    IAsyncEnumerable<Book> Watch(BookQuery query, CancellationToken cancellationToken = default);

    IAsyncEnumerable<Book> FindEach(IAsyncEnumerable<BookQuery> queries, CancellationToken cancellationToken = default);

    [MuxMethod(Serializer = typeof(Mux.Serialization.Json.JsonSerializer<DeskJson>))]
    ValueTask<Note> Annotate(Note note);

    [MuxMethod(Serializer = typeof(Mux.Serialization.Raw.RawSerializer))]
    ValueTask<byte[]> Copy(byte[] blob);
}
