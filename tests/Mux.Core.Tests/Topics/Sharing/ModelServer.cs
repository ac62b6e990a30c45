using Mux.Backplanes;
using Mux.TestSupport.Backplanes;
using Mux.Topics;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>Topics of one server, with a backplane whose steps the test takes.</summary>
internal sealed class ModelServer
{
    private readonly StepQueue _work = new();
    private readonly Dictionary<string, int> _published = [];

    public ModelServer(MemoryHub hub, int id, int retain, int capacity = 1_000)
    {
        Id = id;
        Backplane = new MemoryBackplane(hub, capacity);
        var settings = new TopicSettings(1_024, retain, KeepsLatest: false, MissesNothing: false, Counters, new FanOut(_work, 1));
        Shelf = new TopicShelf<string, Numbered>(settings, 1 << 30, 1_000, Codec);
        Shelf.Shared = new SharedTopics<string, Numbered>(
            Shelf, new TopicShare<Numbered>(Backplane, Codec, (ulong)id, retain, Counters), ChannelNames.Of<string>("topics:", null));
    }

    public int Id { get; }

    public MemoryBackplane Backplane { get; }

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
        if (!Shelf.Shared!.TryPublish(key, item)) Shelf.AddNumbered(key, item, source: null);
        _work.RunAll();
    }

    public SharedReader Join(string key)
    {
        int from = PublishedOf(key);
        var reader = Shelf.Join(key, topic => new SharedReader(topic));
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
