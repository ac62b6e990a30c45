using System.Text;
using Mux.Discovery.Kubernetes.Tests.Server;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Kubernetes.Tests.Watching;

/// <summary>Random histories of a service, sent in random chunks over connections that end, break and are refused: the last set is what the service has.</summary>
public sealed class RandomWatchTests
{
    [Fact]
    public async Task Whatever_happens_to_the_watch_the_set_becomes_what_the_service_has()
    {
        var random = new Random(TestSeed.Next());
        for (int history = 0; history < 20; history++)
        {
            var service = new Dictionary<string, SliceText>();
            int version = 100;
            Change(service, random, ref version);
            await using var cluster = await Cluster.StartAsync();
            for (int round = 0; round < 6; round++)
            {
                cluster.Time.Advance(Cluster.AWhile);
                await RoundAsync(cluster, service, random, version);
                version += 1000;
                for (int unseen = random.Next(3); unseen > 0; unseen--) Change(service, random, ref version); // while nobody watches
            }

            var list = await cluster.Server.ListAsync();
            await list.AnswerAsync(SliceText.List(version, [.. service.Values]));
            await AssertBecomesAsync(cluster, Expected(service));
        }
    }

    /// <summary>A list, and watches until one is refused with 410.</summary>
    private static async Task RoundAsync(Cluster cluster, Dictionary<string, SliceText> service, Random random, int version)
    {
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.List(version, [.. service.Values]));
        for (int watches = random.Next(1, 4); watches > 0; watches--)
        {
            var watch = await cluster.OpenAsync();
            Assert.Equal($"{version}", watch.Query["resourceVersion"]);
            var events = new StringBuilder();
            for (int count = random.Next(0, 6); count > 0; count--) events.Append(random.Next(4) == 0 ? SliceText.Bookmark(++version) : Change(service, random, ref version));
            events.Append(Change(service, random, ref version));
            var bytes = Encoding.UTF8.GetBytes(events.ToString());
            for (int sent = 0, next; sent < bytes.Length; sent += next)
            {
                next = Math.Min(random.Next(1, 700), bytes.Length - sent);
                await watch.SendAsync(bytes.AsMemory(sent, next));
            }

            await AssertBecomesAsync(cluster, Expected(service));
            cluster.Time.Advance(Cluster.AWhile);
            if (watches == 1) await watch.SendAsync(SliceText.Gone);
            else watch.End();
        }
    }

    private static string Change(Dictionary<string, SliceText> service, Random random, ref int version)
    {
        var name = $"orders-{(char)('a' + random.Next(4))}";
        var pods = Enumerable.Range(1, 9).Where(_ => random.Next(3) == 0).Select(number => new Pod($"10.0.{random.Next(2)}.{number}"))
            .Select(pod => random.Next(4) switch { 0 => pod.Leaving, 1 => pod.Unready, _ => pod }).ToArray();
        var slice = new SliceText(name, ++version, pods);
        if (!service.TryGetValue(name, out var known))
        {
            service[name] = slice;
            return slice.Added;
        }

        if (random.Next(3) > 0)
        {
            service[name] = slice;
            return slice.Modified;
        }

        service.Remove(name);
        return (known with { Version = version }).Deleted;
    }

    /// <summary>Each address once, and leaving only if no slice says otherwise.</summary>
    private static SortedSet<string> Expected(Dictionary<string, SliceText> service)
    {
        var serving = service.Values.SelectMany(slice => slice.Pods).Where(pod => pod.Serving == true).ToLookup(pod => pod.Address, pod => pod.Terminating == true);
        return [.. serving.Select(pod => $"mux://{pod.Key}:7070{(pod.All(leaving => leaving) ? " leaving" : "")}")];
    }

    private static async Task AssertBecomesAsync(Cluster cluster, SortedSet<string> expected)
    {
        SortedSet<string> seen;
        do seen = [.. WatchedSource.Text(await cluster.Sets.NextAsync()).Split(", ", StringSplitOptions.RemoveEmptyEntries)];
        while (!seen.SetEquals(expected));
    }
}
