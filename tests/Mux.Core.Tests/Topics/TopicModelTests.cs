using Mux.Push;

namespace Mux.Core.Tests.Topics;

/// <summary>Random steps against a model: what each subscriber got is what was published since it came, in order, without what it missed.</summary>
public sealed class TopicModelTests(ITestOutputHelper output)
{
    private const int Steps = 20_000; // of each case; MUX_TOPIC_STEPS gives another number
    private const int Queue = 8;

    [Theory]
    [InlineData(MuxSlowSubscriber.DropOldest, 0)]
    [InlineData(MuxSlowSubscriber.DropOldest, 3)]
    [InlineData(MuxSlowSubscriber.KeepLatest, 1)]
    [InlineData(MuxSlowSubscriber.End, 0)]
    [InlineData(MuxSlowSubscriber.End, 20)]
    public void Readers_get_items_in_order_the_retained_first_and_none_twice(MuxSlowSubscriber whenSlow, int retain)
    {
        int seed = int.TryParse(Environment.GetEnvironmentVariable("MUX_TEST_SEED"), out int chosen) ? chosen : Random.Shared.Next();
        output.WriteLine($"seed {seed}; MUX_TEST_SEED={seed} runs it again");
        var random = new Random(seed);
        var work = new StepQueue();
        var counters = new TopicCounters("test");
        var topic = new Topic<int>(Settings(retain, whenSlow, counters, work));
        var readers = new List<(ModelReader Reader, int From)>();
        int published = 0;
        int steps = int.TryParse(Environment.GetEnvironmentVariable("MUX_TOPIC_STEPS"), out int given) ? given : Steps;
        for (int step = 0; step < steps; step++)
        {
            switch (random.Next(10))
            {
                case 0 when readers.Count < 50:
                    var reader = new ModelReader(topic);
                    Assert.True(topic.TryJoin(reader, out var unencoded));
                    Assert.Null(unencoded);
                    readers.Add((reader, Math.Max(0, published - retain)));
                    reader.Run();
                    break;
                case 1 when readers.Count > 0:
                    int left = random.Next(readers.Count);
                    topic.Leave(readers[left].Reader);
                    Check(readers[left].Reader, readers[left].From, whenSlow);
                    readers.RemoveAt(left);
                    break;
                case 2 when readers.Count > 0:
                    readers[random.Next(readers.Count)].Reader.IsStalled = true;
                    break;
                case 3 when readers.Count > 0:
                    work.RunAll();
                    readers[random.Next(readers.Count)].Reader.Resume();
                    break;
                case 4:
                    work.RunAll();
                    break;
                case 5:
                    work.RunOne();
                    break;
                default:
                    Assert.Equal(TopicAdd.Added, topic.Add(new TopicItem<int>(published++), 0));
                    break;
            }
        }

        work.RunAll();
        foreach (var (reader, from) in readers)
        {
            reader.Resume();
            work.RunAll();
            Check(reader, from, whenSlow);
            if (!reader.IsTooSlow && published > from) Assert.Equal(published - 1, reader.Got[^1]);
            topic.Leave(reader);
        }

        Assert.Equal(0, counters.Subscribers);
        Assert.Equal(Math.Min(retain, published) * 256, counters.KeptBytes);
        Assert.True(topic.TryForget());
        Assert.Equal(0, counters.KeptBytes);
    }

    [Theory]
    [InlineData(MuxSlowSubscriber.DropOldest, 4, 1, 2, 3, 4, 5)]
    [InlineData(MuxSlowSubscriber.KeepLatest, 4, 1, 5)]
    [InlineData(MuxSlowSubscriber.End, 4, 1, 2, 3, 4, 5)]
    [InlineData(MuxSlowSubscriber.DropOldest, 2 * Queue, 1, 10, 11, 12, 13, 14, 15, 16, 17)]
    [InlineData(MuxSlowSubscriber.KeepLatest, 2 * Queue, 1, 17)]
    [InlineData(MuxSlowSubscriber.End, 2 * Queue, 1)]
    public void A_reader_that_had_to_wait_gets_what_its_topic_says(MuxSlowSubscriber whenSlow, int items, params int[] expected)
    {
        var work = new StepQueue();
        var counters = new TopicCounters("test");
        var topic = new Topic<int>(Settings(0, whenSlow, counters, work));
        var reader = new ModelReader(topic);
        topic.TryJoin(reader, out _);
        reader.Run();
        Assert.Equal(TopicAdd.Added, topic.Add(new TopicItem<int>(1), 0));
        work.RunAll();
        reader.IsStalled = true;
        for (int item = 2; item <= items + 1; item++)
        {
            topic.Add(new TopicItem<int>(item), 0);
            work.RunAll();
        }

        reader.Resume();
        work.RunAll();
        Assert.Equal(expected, reader.Got);
        Assert.Equal(whenSlow == MuxSlowSubscriber.End && items > Queue, reader.IsTooSlow);
        Assert.Equal(reader.IsTooSlow ? 0 : items + 1 - expected.Length, counters.Missed);
    }

    private static TopicSettings Settings(int retain, MuxSlowSubscriber whenSlow, TopicCounters counters, StepQueue work) =>
        new(Queue, retain, whenSlow == MuxSlowSubscriber.KeepLatest, whenSlow == MuxSlowSubscriber.End, Queue, false, counters, new FanOut(work, 2));

    private static void Check(ModelReader reader, int from, MuxSlowSubscriber whenSlow)
    {
        if (reader.Got.Count == 0) return;
        Assert.True(reader.Got[0] >= from, $"It got item {reader.Got[0]}, and came at {from}.");
        for (int i = 1; i < reader.Got.Count; i++) Assert.True(reader.Got[i] > reader.Got[i - 1], "Out of order, or twice.");
        if (whenSlow == MuxSlowSubscriber.End) Assert.Equal(Enumerable.Range(from, reader.Got.Count), reader.Got);
    }
}
