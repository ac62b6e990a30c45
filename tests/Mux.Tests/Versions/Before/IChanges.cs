using System.Runtime.Serialization;

namespace Mux.Tests.Versions.Before;

/// <summary>A contract with a method for each change of the table in docs/versioning.md; <see cref="After.IChanged"/> is what became of it.</summary>
[MuxService("test.Changes"), MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]
public interface IChanges
{
    ValueTask<int> Echo(int number);

    ValueTask<int> Removed(int number);

    ValueTask<int> Called(int number);

    ValueTask<int> OldName(int number);

    ValueTask<Item> Send(Item item);

    ValueTask<Numbered> Number(Numbered item);

    ValueTask<TimeSpan> Wait(TimeSpan time);

    ValueTask<Guid> Find(Guid id);

    ValueTask<decimal> Pay(decimal amount);

    ValueTask<DateTime> Book(DateTime day);

    ValueTask<List<Guid>> FindAll(List<Guid> ids);

    ValueTask<int> Add(int number);

    ValueTask<string?> Name(string? name);

    ValueTask<Item> Extend(Item item);

    ValueTask<string> Insert(string text);

    ValueTask<int> Plain(int number);

    ValueTask<int> Shaped(int number);

    IAsyncEnumerable<int> Count(int count);

    Task<Stream> Read(int length);

    ValueTask<List<string>> List(int count);

    ValueTask<int> Import(int count, IWatcher watcher);

    ValueTask<int> Dispatched([MuxKey] int number);

    ValueTask<int> Serial(int number);

    ValueTask<int> Batched(int number);

    ValueTask<int> Fail(int number);

    [MuxError<OldTrouble>(7)]
    ValueTask<int> Trouble(int number);

    ValueTask<Guid> Level(Guid id);
}

[MuxCallback]
public interface IWatcher
{
    ValueTask<int> Ask(int number);

    [MuxMethod(OneWay = true)]
    ValueTask Tell(int number);
}

[DataContract]
public sealed class Item
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public string? Name { get; set; }

    [DataMember(Order = 3)]
    public string? Removed { get; set; }

    [DataMember(Order = 4)]
    public int Amount { get; set; }

    [DataMember(Order = 6)]
    public int Height { get; set; }

    [DataMember(Order = 7)]
    public short Width { get; set; }

    [DataMember(Order = 8)]
    public int? Retries { get; set; } = 3;
}

[DataContract]
public sealed class Numbered
{
    [DataMember(Order = 1)]
    public int Id { get; set; }
}

[DataContract]
public sealed class OldTrouble
{
    [DataMember(Order = 1)]
    public string? Reason { get; set; }
}
