using Mux.Backplanes;
using Mux.Push;
using Mux.TestSupport.Backplanes;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>Topics of one server, with a backplane whose steps the test takes.</summary>
internal sealed class ModelServer
{
    private readonly StepQueue _work = new();
    private readonly Dictionary<string, int> _published = [];

    /// <param name="hub">What all servers share.</param>
    /// <param name="id">Names the server.</param>
    /// <param name="retain">Items that the hub retains.</param>
    /// <param name="capacity">Items that may wait to leave.</param>
    /// <param name="beforePublish">Runs inside of the backplane, with the channel of an item, before it takes the item.</param>
    /// <param name="beforeSubscribe">Runs inside of the backplane before it takes a subscription.</param>
    public ModelServer(MemoryHub hub, int id, int retain, int capacity = 1_000, Action<string>? beforePublish = null,
        Action? beforeSubscribe = null)
    {
        Id = id;
        Backplane = new MemoryBackplane(hub, capacity);
        bool isHooked = beforePublish is not null || beforeSubscribe is not null;
        Used = isHooked ? new HookedBackplane(Backplane, beforePublish, beforeSubscribe) : Backplane;
        var settings = new TopicSettings(1_024, retain, KeepsLatest: false, MissesNothing: false, Window: 1_024, HasUniqueNumbers: false, Counters, new FanOut(_work, 1));
        Shelf = new TopicShelf<string, Numbered>(settings, 1 << 30, 1_000, Codec);
        Shelf.Shared = new SharedTopics<string, Numbered>(
            Shelf, new TopicShare<Numbered>(Used, Codec, (ulong)id, retain, Counters, _work), ChannelNames.Of<string>("topics:", null));
    }

    public int Id { get; }

    public MemoryBackplane Backplane { get; }

    /// <summary>The backplane as the topics see it.</summary>
    public MuxBackplane Used { get; }

    public TopicCounters Counters { get; } = new("test");

    public NumberedCodec Codec { get; } = new();

    public TopicShelf<string, Numbered> Shelf { get; }

    public List<(string Key, SharedReader Reader, int From)> Readers { get; } = [];

    public int PublishedOf(string key) => _published.GetValueOrDefault(key);

    public void Publish(string key)
    {
        int index = _published[key] = PublishedOf(key) + 1;
        Counters.OnPublished();
        var item = new TopicItem<Numbered>(new Numbered { Publisher = Id, Index = index });
        Shelf.Shared!.Publish(key, item);
        _work.RunAll();
    }

    public SharedReader Join(string key, long? after = null)
    {
        int from = PublishedOf(key);
        var reader = Shelf.Join(key, topic => new SharedReader(topic) { Resumption = after is { } last ? new TopicResumption(last) : null });
        Readers.Add((key, reader, from));
        reader.Run();
        return reader;
    }

    public void Leave(int which)
    {
        var (key, reader, _) = Readers[which];
        Readers.RemoveAt(which);
        reader.Topic.Leave(reader);
        Shelf.OnLeft(key, reader.Topic);
    }

    public void RunReaders() => _work.RunAll();
}
