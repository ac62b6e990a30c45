using Mux.TestSupport.Backplanes;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>Random steps of three servers over one backplane, against what the documentation promises.</summary>
public sealed class SharedTopicModelTests
{
    private const int Steps = 20_000; // of each case; MUX_TOPIC_STEPS gives another number
    private const int Servers = 3;

    private static readonly string[] s_keys = ["a", "b"];

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    public void All_servers_get_the_same_items_in_the_same_order_with_the_same_numbers(int retain)
    {
        var random = new Random(TestSeed.Next());
        var hub = new MemoryHub();
        var servers = Enumerable.Range(1, Servers).Select(id => new ModelServer(hub, id, retain)).ToArray();
        var left = new List<(int Server, string Key, SharedReader Reader)>();
        for (int step = 0; step < StepCount(); step++) Move(servers, random, left);
        Settle(servers);

        foreach (string key in s_keys)
        {
            var items = new Dictionary<long, (int, int)>();
            int count = servers.Sum(server => server.PublishedOf(key));
            foreach (var server in servers)
            {
                foreach (var (_, reader, _) in server.Readers.Where(one => one.Key == key))
                {
                    AssertHasNoHole(reader, server.Id, items);
                    if (reader.Got.Count > 0) Assert.Equal(count, reader.Got[^1].Number);
                }
            }

            foreach (var (server, _, reader) in left.Where(one => one.Key == key)) AssertHasNoHole(reader, server, items);
        }

        Assert.True(left.Count > 100);
        Assert.All(servers, server => Assert.Equal(0, server.Backplane.Refused));
        LeaveAll(servers);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    public void Interruptions_lose_items_of_other_servers_and_never_change_the_order_or_repeat_one(int retain)
    {
        var random = new Random(TestSeed.Next());
        var hub = new MemoryHub();
        var servers = Enumerable.Range(1, Servers).Select(id => new ModelServer(hub, id, retain, capacity: 20)).ToArray();
        var left = new List<(int Server, string Key, SharedReader Reader)>();
        for (int step = 0; step < StepCount(); step++)
        {
            var server = servers[random.Next(Servers)];
            if (random.Next(50) == 0) server.Backplane.Interrupt(arrives: random.Next(3));
            else if (random.Next(20) == 0) server.Backplane.Heal();
            else Move(servers, random, left);
            server.RunReaders();
        }

        foreach (var server in servers) server.Backplane.Heal();
        Settle(servers);
        foreach (var server in servers)
        {
            foreach (var (key, reader, from) in server.Readers)
            {
                AssertInOrder(reader);

                // What is published at its own server a reader gets whatever happens.
                var own = reader.Got.Where(item => item.Publisher == server.Id && item.Index > from).Select(item => item.Index);
                Assert.Equal(Enumerable.Range(from + 1, server.PublishedOf(key) - from), own);
            }
        }

        foreach (var (_, _, reader) in left) AssertInOrder(reader);
        var items = new Dictionary<(string, long), (int, int)>();
        foreach (var (key, reader) in left.Select(one => (one.Key, one.Reader)).Concat(servers.SelectMany(server => server.Readers.Select(one => (one.Key, one.Reader)))))
        {
            // No number stands for two items, whatever server has given it.
            foreach (var (publisher, index, number) in reader.Got)
            {
                if (!items.TryAdd((key, number), (publisher, index))) Assert.Equal(items[(key, number)], (publisher, index));
            }
        }

        Assert.Contains(servers, server => server.Backplane.Refused > 0);

        // It has healed: what any server publishes now gets to all readers.
        foreach (string key in s_keys) servers[0].Publish(key);
        Settle(servers);
        foreach (var (key, reader, _) in servers.SelectMany(server => server.Readers))
            Assert.Equal((servers[0].Id, servers[0].PublishedOf(key)), (reader.Got[^1].Publisher, reader.Got[^1].Index));
        LeaveAll(servers);
    }

    private static int StepCount() => int.TryParse(Environment.GetEnvironmentVariable("MUX_TOPIC_STEPS"), out int given) ? given : Steps;

    private static void Move(ModelServer[] servers, Random random, List<(int Server, string Key, SharedReader Reader)> left)
    {
        var server = servers[random.Next(Servers)];
        string key = s_keys[random.Next(s_keys.Length)];
        switch (random.Next(20))
        {
            case < 2 when server.Readers.Count < 10:
                server.Join(key);
                break;
            case < 4 when server.Readers.Count > 0:
                int which = random.Next(server.Readers.Count);
                left.Add((server.Id, server.Readers[which].Key, server.Readers[which].Reader));
                server.Leave(which);
                break;
            case < 8:
                server.Publish(key);
                break;
            case < 12:
                server.Backplane.StepOut();
                break;
            default:
                server.Backplane.StepIn(random);
                break;
        }

        server.RunReaders();
    }

    private static void Settle(ModelServer[] servers)
    {
        for (int i = 0; i < 2; i++)
        {
            foreach (var server in servers) server.Backplane.Settle();
        }

        foreach (var server in servers) server.RunReaders();
    }

    private static void LeaveAll(ModelServer[] servers)
    {
        foreach (var server in servers)
        {
            foreach (string key in s_keys) server.Join(key); // which drops what was published here during an interruption
            while (server.Readers.Count > 0) server.Leave(0);
            Assert.Equal((0, 0), (server.Backplane.Subscriptions, server.Counters.Subscribers));
            Assert.Equal(0, server.Counters.KeptBytes);
        }
    }

    private static void AssertHasNoHole(SharedReader reader, int server, Dictionary<long, (int, int)> items)
    {
        bool hasBegun = false; // until then it gets what is published at its own server, and of the others what is retained
        for (int i = 0; i < reader.Got.Count; i++)
        {
            var (publisher, index, number) = reader.Got[i];
            if (i > 0 && number != reader.Got[i - 1].Number + 1) Assert.False(hasBegun, $"Item {number} came after {reader.Got[i - 1].Number}.");
            hasBegun |= publisher != server;
            if (!items.TryAdd(number, (publisher, index))) Assert.Equal(items[number], (publisher, index));
        }

        AssertInOrder(reader);
    }

    private static void AssertInOrder(SharedReader reader)
    {
        foreach (var publisher in reader.Got.GroupBy(item => item.Publisher))
        {
            int last = 0;
            foreach (var item in publisher)
            {
                Assert.True(item.Index > last, $"Item {item.Index} of server {item.Publisher} came after {last}.");
                last = item.Index;
            }
        }
    }
}
