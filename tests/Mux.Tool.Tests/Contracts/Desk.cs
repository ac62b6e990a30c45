using System.Runtime.CompilerServices;
using Mux.TestSupport.Transports;

namespace Mux.Tool.Tests.Contracts;

/// <summary>Watches as many books as the number of the query says, and then waits if it is more than 2.</summary>
internal sealed class Desk(string shelf = "A") : IDesk
{
    public Signal Closed { get; } = new("a call without messages");

    public Signal Dropped { get; } = new("a one-way call");

    public Signal Watching { get; } = new("a watched book");

    public ValueTask<Book> Find(BookQuery query, MuxCallOptions? options = null)
    {
        if (query.Number < 0) throw new MuxException(MuxStatus.NotFound, $"There is no book \e[2J{query.Number}.") { Detail = new BookQuery { Number = 5 } };
        return new ValueTask<Book>(new Book { Title = $"{shelf}{query.Number}", Year = options?.Metadata?["year"] is { } year ? int.Parse(year, System.Globalization.CultureInfo.InvariantCulture) : null });
    }

    public ValueTask Close()
    {
        Closed.Set();
        return default;
    }

    public ValueTask Drop(Book book)
    {
        if (book.Title == "old") Dropped.Set();
        return default;
    }

    public ValueTask<Book> Bind(IAsyncEnumerable<Book> books, CancellationToken cancellationToken = default) => BindAs(new BookQuery(), books, cancellationToken);

    public async ValueTask<Book> BindAs(BookQuery query, IAsyncEnumerable<Book> books, CancellationToken cancellationToken = default)
    {
        var bound = new Book { Title = query.Number == 0 ? "" : $"{query.Number}:" };
        await foreach (var book in books.WithCancellation(cancellationToken)) bound.Title += book.Title;
        return bound;
    }

    public async IAsyncEnumerable<Book> Watch(BookQuery query, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (int i = 1; i <= Math.Min(query.Number, 2); i++) yield return new Book { Title = $"{shelf}{i}" };
        Watching.Set();
        if (query.Number > 2) await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
    }

    public async IAsyncEnumerable<Book> FindEach(IAsyncEnumerable<BookQuery> queries, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var query in queries.WithCancellation(cancellationToken)) yield return await Find(query);
    }

    public ValueTask<Note> Annotate(Note note) => new(new Note { Text = $"{note.Text}\n!" });

    public ValueTask<byte[]> Copy(byte[] blob) => new(blob);
}
