using Mux.Discovery.Kubernetes.Tests.Server;

namespace Mux.Discovery.Kubernetes.Tests.Watching;

/// <summary>A rolling update of a Deployment with two pods, as the API server tells it: Recorded/rollout.list.json and rollout.watch.jsonl.</summary>
public sealed class RolloutTests
{
    private static readonly string s_list = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Recorded", "rollout.list.json"));
    private static readonly string s_watch = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Recorded", "rollout.watch.jsonl"));

    private static readonly string[] s_sets =
    [
        "mux://10.244.1.17:7070, mux://10.244.2.9:7070",
        "mux://10.244.1.17:7070, mux://10.244.2.9:7070", // the first new pod is not ready
        "mux://10.244.1.17:7070, mux://10.244.2.9:7070, mux://10.244.1.18:7070",
        "mux://10.244.1.17:7070 leaving, mux://10.244.2.9:7070, mux://10.244.1.18:7070",
        "mux://10.244.1.17:7070 leaving, mux://10.244.2.9:7070, mux://10.244.1.18:7070",
        "mux://10.244.2.9:7070, mux://10.244.1.18:7070, mux://10.244.2.10:7070", // the first old pod serves no more
        "mux://10.244.2.9:7070 leaving, mux://10.244.1.18:7070, mux://10.244.2.10:7070",
        "mux://10.244.2.9:7070 leaving, mux://10.244.1.18:7070, mux://10.244.2.10:7070",
        "mux://10.244.1.18:7070, mux://10.244.2.10:7070",
    ];

    [Fact]
    public async Task A_rolling_update_is_followed_step_by_step()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(s_list);
        var watch = await cluster.OpenAsync();
        Assert.Equal("184203", watch.Query["resourceVersion"]);
        await watch.SendAsync(s_watch);

        foreach (var expected in s_sets) Assert.Equal(expected, await cluster.Sets.TextAsync());
    }

    [Fact]
    public async Task At_no_step_is_a_service_of_two_pods_without_a_server()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(s_list);
        await (await cluster.OpenAsync()).SendAsync(s_watch);

        for (int i = 0; i < s_sets.Length; i++) Assert.InRange((await cluster.Sets.NextAsync()).Count(endpoint => !endpoint.IsLeaving), 2, 3);
    }

    [Fact]
    public async Task Zone_and_instance_are_those_of_the_pod()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync(s_list);
        var set = await cluster.Sets.NextAsync();

        Assert.Equal(["eu-1a", "eu-1b"], set.Select(endpoint => endpoint.Zone));
        Assert.Equal(["6d0f2d8e-1f4e-4a4b-9b51-3e0a5f2c7a10", "0c8f9a53-77e2-44be-8b0e-5a1e2d3f4b21"], set.Select(endpoint => endpoint.Instance));
        Assert.All(set, endpoint => Assert.Equal(MuxEndpoint.DefaultWeight, endpoint.Weight));
    }
}
