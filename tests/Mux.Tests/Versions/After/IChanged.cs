using System.IO.Pipelines;
using System.Runtime.Serialization;
using System.Threading.Channels;

namespace Mux.Tests.Versions.After;

/// <summary><see cref="Before.IChanges"/> with every change of the table in docs/versioning.md, and in another order.</summary>
[MuxService("test.Changes"), MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]
public interface IChanged : IOfAnotherLevel
{
    ValueTask<int> Added(int number);

    [MuxMethod("Called")]
    ValueTask<int> Renamed(int number);

    ValueTask<int> NewName(int number);

    ValueTask<Item> Send(Item item);

    ValueTask<Numbered> Number(Numbered item);

    ValueTask<TimeSpan> Wait(TimeSpan time, bool deep = false);

    ValueTask<Guid> Find(Guid id, int more = 0);

    ValueTask<decimal> Pay(decimal amount, string? note = null);

    ValueTask<DateTime> Book(DateTime day, DateTime? until = null);

    ValueTask<List<Guid>> FindAll(List<Guid> ids, int more = 0);

    ValueTask<int> Add(int number, int more = 0);

    ValueTask<string?> Name(string? name, string? more = null);

    ValueTask<Item> Extend(Item item, int more);

    ValueTask<string> Insert(int first, string text);

    ValueTask<int> Plain(int number, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    Task<MuxResult<int>> Shaped(int number);

    ChannelReader<int> Count(int count);

    Task<PipeReader> Read(int length);

    IAsyncEnumerable<string> List(int count);

    ValueTask<int> Import(int count, IWatcher watcher, IWatcher second);

    [MuxMethod(Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 60_000)]
    ValueTask<int> Dispatched([MuxKey] int number);

    [MuxMethod(Dispatch = MuxDispatchMode.Serial, TimeoutMilliseconds = 60_000)]
    ValueTask<int> Serial(int number);

    [MuxMethod(Batched = 16)]
    ValueTask<int> Batched(int number);

    [MuxError<NewTrouble>(3)]
    ValueTask<int> Fail(int number);

    [MuxError<NewTrouble>(7)]
    ValueTask<int> Trouble(int number);

    ValueTask<int> Echo(int number);
}

[MuxCompatibilityLevel(MuxCompatibilityLevel.Level200)]
public interface IOfAnotherLevel
{
    ValueTask<Guid> Level(Guid id);
}

[MuxCallback]
public interface IWatcher
{
    ValueTask<int> Added(int number);

    [MuxMethod(OneWay = true)]
    ValueTask Tell(int number);

    [MuxMethod(OneWay = true)]
    ValueTask AddedTell(int number);

    ValueTask<int> Ask(int number);
}

[DataContract]
public sealed class Item
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public string? FullName { get; set; }

    [DataMember(Order = 4)]
    public long Amount { get; set; }

    [DataMember(Order = 5)]
    public string? Added { get; set; }

    [DataMember(Order = 6)]
    public short Height { get; set; }

    [DataMember(Order = 7)]
    public int Width { get; set; }

    [DataMember(Order = 8)]
    public int? Retries { get; set; } = 5;
}

[DataContract]
public sealed class Numbered
{
    [DataMember(Order = 2)]
    public int Id { get; set; }
}

[DataContract]
public sealed class NewTrouble
{
    [DataMember(Order = 1)]
    public int Code { get; set; }
}
