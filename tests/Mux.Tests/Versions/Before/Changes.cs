namespace Mux.Tests.Versions.Before;

/// <summary>Gives back what it gets.</summary>
internal sealed class Changes : IChanges
{
    public ValueTask<int> Echo(int number) => new(number);

    public ValueTask<int> Removed(int number) => new(number);

    public ValueTask<int> Called(int number) => new(number);

    public ValueTask<int> OldName(int number) => new(number);

    public ValueTask<Item> Send(Item item) => new(item);

    public ValueTask<Numbered> Number(Numbered item) => new(item);

    public ValueTask<TimeSpan> Wait(TimeSpan time) => new(time);

    public ValueTask<Guid> Find(Guid id) => new(id);

    public ValueTask<decimal> Pay(decimal amount) => new(amount);

    public ValueTask<DateTime> Book(DateTime day) => new(day);

    public ValueTask<List<Guid>> FindAll(List<Guid> ids) => new(ids);

    public ValueTask<int> Add(int number) => new(number);

    public ValueTask<string?> Name(string? name) => new(name);

    public ValueTask<Item> Extend(Item item) => new(item);

    public ValueTask<string> Insert(string text) => new(text);

    public ValueTask<int> Plain(int number) => new(number);

    public ValueTask<int> Shaped(int number) => new(number);

    public IAsyncEnumerable<int> Count(int count) => Enumerable.Range(0, count).ToAsyncEnumerable();

    public Task<Stream> Read(int length) => Task.FromResult<Stream>(new MemoryStream(new byte[length]));

    public ValueTask<List<string>> List(int count) => new([.. Enumerable.Repeat("item", count)]);

    public async ValueTask<int> Import(int count, IWatcher watcher)
    {
        await watcher.Tell(count);
        return await watcher.Ask(count);
    }

    public ValueTask<int> Dispatched(int number) => new(number);

    public ValueTask<int> Serial(int number) => new(number);

    public ValueTask<int> Batched(int number) => new(number);

    public ValueTask<int> Fail(int number) => throw new MuxException(MuxStatus.NotFound, "none");

    public ValueTask<int> Trouble(int number) => throw new MuxException(MuxStatus.NotFound, "none") { Detail = new OldTrouble { Reason = "why" } };

    public ValueTask<Guid> Level(Guid id) => new(id);
}

internal sealed class Watcher : IWatcher
{
    public ValueTask<int> Ask(int number) => new(number + 1);

    public ValueTask Tell(int number) => default;
}
