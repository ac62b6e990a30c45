using System.Runtime.Serialization;

namespace Mux.Description.Tests.Contracts;

[DataContract]
public sealed class Item
{
    [DataMember(Order = 1)] public int Id { get; set; }

    [DataMember(Order = 2)] public string Name { get; set; } = string.Empty;

    [DataMember(Order = 3)] public string? LastSeenBy { get; set; }

    [DataMember(Order = 4)] public int? Rank { get; set; }

    [DataMember(Order = 5)] public Shade Shade { get; set; }

    [DataMember(Order = 6)] public List<int> Sizes { get; set; } = [];

    [DataMember(Order = 7)] public Dictionary<string, Item> Parts { get; set; } = [];

    [DataMember(Order = 8)] public DateTime Made { get; set; }
}

[DataContract]
public sealed class Gone
{
    [DataMember(Order = 1)] public int Since { get; set; }
}

#pragma warning disable CA1069 // two names for one value, as C# allows
public enum Shade
{
    Dark = 3,
    Pale = 4,
    Black = 3,
}
#pragma warning restore CA1069

[MuxCallback]
public interface IProgress
{
    [MuxMethod(OneWay = true)]
    ValueTask Report(int percent);

    ValueTask<bool> Ask(Item item);
}

/// <summary>A method of every form, with every option.</summary>
[MuxService("test.Store-1", Idempotent = true)]
public interface IStore
{
    [MuxMethod(TimeoutMilliseconds = 2500, MaxMessageBytes = 4096, Priority = MuxCallPriority.Low)]
    [MuxError<Gone>(7)]
    ValueTask<Item> FindAsync(int id, CancellationToken cancellationToken = default);

    [MuxMethod(Idempotent = false)]
    [MuxAuthorize("adult", Roles = "clerk, manager")]
    ValueTask<List<Item>> Move(string? from, Item item, long count);

    IAsyncEnumerable<Item> Watch(Item pattern, CancellationToken cancellationToken = default);

    ValueTask<Stream> Pack(string name, Stream raw);

    [MuxMethod(OneWay = true)]
    ValueTask Note(string text);

    ValueTask<int> Import(string file, IProgress progress);

    [MuxMethod(Serializer = typeof(Serialization.Raw.RawSerializer))]
    ValueTask<byte[]> Load(byte[] key);

    ValueTask Rest();
}
