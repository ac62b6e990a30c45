using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Mux.Tool.Tests.Contracts;

/// <summary>A desk that notes what it is asked for, in order.</summary>
internal sealed class RecordingDesk : IDesk
{
    private readonly Desk _desk = new();
    private readonly ConcurrentQueue<string> _seen = new();

    public string[] Seen => [.. _seen];

    public ValueTask<Book> Find(BookQuery query, MuxCallOptions? options = null)
    {
        _seen.Enqueue($"{query.Number}{options?.Metadata?["tenant"]}");
        return _desk.Find(query, options);
    }

    public ValueTask Close()
    {
        _seen.Enqueue("close");
        return default;
    }

    public ValueTask Drop(Book book)
    {
        _seen.Enqueue(book.Title);
        return default;
    }

    public async ValueTask<Book> Bind(IAsyncEnumerable<Book> books, CancellationToken cancellationToken = default) => Note(await _desk.Bind(books, cancellationToken));

    public async ValueTask<Book> BindAs(BookQuery query, IAsyncEnumerable<Book> books, CancellationToken cancellationToken = default) =>
        Note(await _desk.BindAs(query, books, cancellationToken));

    public IAsyncEnumerable<Book> Watch(BookQuery query, CancellationToken cancellationToken = default)
    {
        _seen.Enqueue($"watch {query.Number}");
        return _desk.Watch(query, cancellationToken);
    }

    public async IAsyncEnumerable<Book> FindEach(IAsyncEnumerable<BookQuery> queries, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var query in queries.WithCancellation(cancellationToken)) yield return await Find(query);
    }

    public ValueTask<Note> Annotate(Note note)
    {
        _seen.Enqueue(note.Text);
        return _desk.Annotate(note);
    }

    public ValueTask<byte[]> Copy(byte[] blob) => new(blob);

    private Book Note(Book book)
    {
        _seen.Enqueue(book.Title);
        return book;
    }
}
