using System.Globalization;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>Which of several servers gets the calls with a key.</summary>
public sealed class KeyTests : EndToEndTests
{
    private const int Keys = 120;
    private const int Servers = 3;
    private const int MostCalls = 100_000; // some seconds

    private ScriptedSource _source = new(); // of the newest channel
    private MuxServer[] _servers = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = TestLimit)]
    public async Task Calls_with_the_same_key_go_to_the_same_server_from_every_channel_and_keys_are_spread()
    {
        var scene = Begin(TransportKind.InMemory);
        var one = await ConnectAsync(scene);
        int[] homes = await HomesAsync(one);
        Assert.Equal(homes, await HomesAsync(one));
        Assert.Equal(homes, await HomesAsync(await ConnectAsync(scene)));
        for (int server = 0; server < Servers; server++) Assert.InRange(homes.Count(home => home == server), Keys / 6, Keys / 2);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Through_gateways_calls_with_a_key_go_to_the_server_that_they_go_to_without_one()
    {
        var scene = Begin(TransportKind.InMemory);
        int[] homes = await HomesAsync(await ConnectAsync(scene));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("test.*", scene.Channels[0])));
        var first = scene.StartServer(server => server.AddRoute(new MuxRoute("*", scene.CreateChannel(gateway))));
        foreach (var front in new[] { gateway, first })
        {
            var sut = scene.CreateChannel(front).CreateProxy<IBaskets>();
            Assert.Equal(homes, await HomesAsync(sut));
            for (long key = 0; key < Keys; key++)
            {
                var options = new MuxCallOptions { Key = key.ToString(CultureInfo.InvariantCulture), Metadata = new() { ["own"] = "yes" } };
                int[] servers = [await sut.FindByName("of the contract", options, Token), await FirstAsync(sut.Watch(key, Token)), await sut.Fill(key, Nothing(), Token)];
                Assert.All(servers, server => Assert.Equal(homes[key], server));
            }
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_key_is_the_same_in_each_place_of_each_kind_of_method()
    {
        var sut = await ConnectAsync(Begin(TransportKind.InMemory));
        int[] homes = await HomesAsync(sut);
        for (long key = 0; key < Keys; key++)
        {
            var text = key.ToString(CultureInfo.InvariantCulture);
            int[] servers =
            [
                await sut.FindByName(text, cancellationToken: Token),
                await sut.FindByName("of the contract", new MuxCallOptions { Key = text }, Token),
                await sut.Order(new BasketOrder { Article = (int)(Keys - key), Customer = key }, Token),
                await FirstAsync(sut.Watch(key, Token)),
                await sut.Fill(key, Nothing(), Token),
            ];
            Assert.All(servers, server => Assert.Equal(homes[key], server));
            var id = new Guid((int)key, 0, 0, new byte[8]);
            Assert.Equal(await sut.FindByName(id.ToString(), cancellationToken: Token), await sut.Move((int)key, id, Token));
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_whose_key_is_null_or_empty_are_spread_by_load()
    {
        var sut = await ConnectAsync(Begin(TransportKind.InMemory));
        foreach (var (name, key) in new (string?, string?)[] { (null, null), ("", null), ("a name", "") })
        {
            var options = new MuxCallOptions { Key = key };
            var servers = new HashSet<int>();
            // A server that was late once has no calls of callers who make one after the other until that is forgotten.
            for (int i = 0; i < MostCalls && servers.Count < Servers; i++) servers.Add(await sut.FindByName(name, options, Token));
            Assert.Equal(Servers, servers.Count);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_key_moves_when_its_server_goes_and_comes_back_with_it()
    {
        const int Gone = 1;
        var scene = Begin(TransportKind.InMemory);
        var sut = await ConnectAsync(scene);
        int[] before = await HomesAsync(sut);

        _source.Report(_servers.Where((_, i) => i != Gone));
        await scene.Channels[0].ChoosesAsync(Servers - 1);
        int[] without = await HomesAsync(sut);

        Assert.DoesNotContain(Gone, without);
        int stayed = Enumerable.Range(0, Keys).Count(key => before[key] != Gone && before[key] == without[key]);
        Assert.InRange(stayed, before.Count(home => home != Gone) * 9 / 10, Keys);

        _source.Report(_servers);
        await scene.Channels[0].ChoosesAsync(Servers);
        Assert.Equal(before, await HomesAsync(sut));
    }

    private static async Task<int[]> HomesAsync(IBaskets sut)
    {
        int[] homes = new int[Keys];
        for (int key = 0; key < Keys; key++) homes[key] = await sut.Find(key, Token);
        return homes;
    }

    private static async Task<int> FirstAsync(IAsyncEnumerable<int> items)
    {
        int first = -1;
        await foreach (int item in items) first = item;
        return first;
    }

    private static async IAsyncEnumerable<int> Nothing()
    {
        await Task.CompletedTask;
        yield break;
    }

    /// <summary>A channel with connections to all servers.</summary>
    private async Task<IBaskets> ConnectAsync(Scene scene)
    {
        if (_servers.Length == 0) _servers = [.. Enumerable.Range(0, Servers).Select(i => scene.StartServer(server => server.AddService<IBaskets>(new Baskets(i))))];
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        _source = new ScriptedSource();
        _source.Report(_servers);
        var channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options => options.Endpoints = _source);
        await channel.ConnectAsync(Token);
        await channel.ChoosesAsync(Servers);
        return channel.CreateProxy<IBaskets>();
    }
}
