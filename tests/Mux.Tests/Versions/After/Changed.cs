using System.IO.Pipelines;
using System.Threading.Channels;

namespace Mux.Tests.Versions.After;

/// <summary>Gives back what it gets, and the status of a callback that the caller does not know.</summary>
internal sealed class Changed : IChangedBatch
{
    /// <summary>How the last callback failed that was added.</summary>
    public List<MuxStatus> Missing { get; } = [];

    public ValueTask<int> Added(int number) => new(number);

    public ValueTask<int> Echo(int number) => new(number);

    public ValueTask<int> Renamed(int number) => new(number);

    public ValueTask<int> NewName(int number) => new(number);

    public ValueTask<Item> Send(Item item) => new(item);

    public ValueTask<Numbered> Number(Numbered item) => new(item);

    public ValueTask<TimeSpan> Wait(TimeSpan time, bool deep) => new(time);

    public ValueTask<Guid> Find(Guid id, int more) => new(id);

    public ValueTask<decimal> Pay(decimal amount, string? note) => new(amount);

    public ValueTask<DateTime> Book(DateTime day, DateTime? until) => new(day);

    public ValueTask<List<Guid>> FindAll(List<Guid> ids, int more) => new(ids);

    public ValueTask<int> Add(int number, int more) => new(number + more);

    public ValueTask<string?> Name(string? name, string? more) => new(name + more);

    public ValueTask<Item> Extend(Item item, int more) => new(item);

    public ValueTask<string> Insert(int first, string text) => new(text);

    public ValueTask<int> Plain(int number, MuxCallOptions? options, CancellationToken cancellationToken) => new(number);

    public Task<MuxResult<int>> Shaped(int number) => Task.FromResult<MuxResult<int>>(number);

    public ChannelReader<int> Count(int count)
    {
        var items = Channel.CreateUnbounded<int>();
        for (int i = 0; i < count; i++) items.Writer.TryWrite(i);
        items.Writer.Complete();
        return items.Reader;
    }

    public Task<PipeReader> Read(int length) => Task.FromResult(PipeReader.Create(new MemoryStream(new byte[length])));

    public IAsyncEnumerable<string> List(int count) => Enumerable.Repeat("item", count).ToAsyncEnumerable();

    public async ValueTask<int> Import(int count, IWatcher watcher, IWatcher second)
    {
        await watcher.Tell(count);
        await watcher.AddedTell(count);
        Missing.AddRange([await StatusAsync(watcher.Added(1)), await StatusAsync(second.Ask(1))]);
        return await watcher.Ask(count);
    }

    public ValueTask<int> Dispatched(int number) => new(number);

    public ValueTask<int> Serial(int number) => new(number);

    public ValueTask Batched(MuxCalls<int, int> calls)
    {
        foreach (var call in calls) call.SetResult(call.Request);
        return default;
    }

    public ValueTask<int> Fail(int number) => throw new MuxException(MuxStatus.NotFound, "none") { Detail = new NewTrouble { Code = 5 } };

    public ValueTask<int> Trouble(int number) => throw new MuxException(MuxStatus.NotFound, "none") { Detail = new NewTrouble { Code = 5 } };

    public ValueTask<Guid> Level(Guid id) => new(id);

    private static async ValueTask<MuxStatus> StatusAsync(ValueTask<int> call)
    {
        try
        {
            await call;
            return 0;
        }
        catch (MuxException error)
        {
            return error.Status;
        }
    }
}

internal sealed class Watcher : IWatcher
{
    public ValueTask<int> Added(int number) => new(number);

    public ValueTask AddedTell(int number) => default;

    public ValueTask<int> Ask(int number) => new(number + 1);

    public ValueTask Tell(int number) => default;
}
