using System.Runtime.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace ComingBack;

[MuxService("market.Book")]
public interface IBook
{
    /// <summary>The changes behind the one with this number; from now on if it is null.</summary>
    IAsyncEnumerable<Change> WatchAsync(string symbol, long? after, CancellationToken cancellationToken = default);

    ValueTask<List<string>> LoadAsync(string symbol, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class Change : IMuxTopicItem
{
    [DataMember(Order = 1)] public string Text { get; set; } = "";
    [DataMember(Order = 2)] public long Sequence { get; set; } // set by MuxTopics
}

public sealed class Book(MuxTopics<string, Change> changes, BookTable table) : IBook
{
    public IAsyncEnumerable<Change> WatchAsync(string symbol, long? after, CancellationToken cancellationToken) =>
        after is { } last ? changes.Subscribe(symbol, last) : changes.Subscribe(symbol);

    public ValueTask<List<string>> LoadAsync(string symbol, CancellationToken cancellationToken) => table.LoadAsync(symbol, cancellationToken);
}

public sealed class BookTable
{
    private readonly List<string> _lines = [];

    public ValueTask<List<string>> LoadAsync(string symbol, CancellationToken cancellationToken) => new(_lines.FindAll(line => line.StartsWith(symbol, StringComparison.Ordinal)));
}

internal static class BookHost
{
    public static void Add(IServiceCollection services)
    {
        services.AddMuxTopics<string, Change>(topics => (topics.Retain, topics.UniqueNumbers) = (100, true));
        services.AddSingleton<BookTable>();
        services.AddMuxServer("mux://127.0.0.1:7070").AddService<IBook, Book>();
    }

    public static async Task FollowAsync(IBook book, CancellationToken cancellationToken)
    {
        var changes = MuxTopic.FollowAsync(
            (after, token) => book.WatchAsync("MSFT", after, token),
            onGap: async (gap, token) =>
            {
                Console.WriteLine(gap.Message); // which items are missing
                foreach (var line in await book.LoadAsync("MSFT", token)) Console.WriteLine(line); // the state, in their place
            },
            cancellationToken: cancellationToken);
        await foreach (var change in changes) Console.WriteLine(change.Text);
    }
}
