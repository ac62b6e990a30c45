using Mux.Contracts;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Forwarding;

/// <summary>Clients of a gateway that take all they can get, beside one that needs little: the service sees the gateway alone, so the gateway has to share.</summary>
public sealed class GreedyClientTests : GatewayTests
{
    private const int Greedy = 3;
    private const int Ask = 0, List = 1, Collect = 2, Tell = 3;

    private readonly Signal _answer = new("the answer of the calls that wait");

    [Fact(Timeout = TestLimit)]
    public async Task A_client_with_few_calls_is_served_beside_three_that_take_all_they_can_get()
    {
        const int Calls = 4_096; // all slots of a connection
        var (shop, scene, _, gateway, proxy) = Start();
        shop.OnAsk = WaitIfEmpty;
        var attackers = await ConnectAsync(scene, gateway);
        foreach (var attacker in attackers) attacker.Send(Enumerable.Range(1, Calls).Select(slot => RawClient.Request(slot, 1, Ask)));
        await Eventually.Holds(() => shop.Started.Count + attackers.Sum(attacker => attacker.Answers.Count) == Greedy * Calls, "calls that run, and refusals of the others");

        var calls = Enumerable.Range(1, 20).Select(i => proxy.AskNow([(byte)i]).AsTask());
        Assert.Equal(Enumerable.Range(1, 20).Select(i => (byte)i), (await Task.WhenAll(calls).Within("twenty calls")).SelectMany(bytes => bytes));

        Assert.All(attackers, attacker => Assert.InRange(Calls - attacker.Answers.Count, 1, 2_048));
        var refusal = attackers[2].Failures[0];
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), ((MuxStatus)refusal.Status, refusal.Execution));
        Assert.Contains("its share of the 4096 calls that the gateway has open", refusal.Text, StringComparison.Ordinal);
        Assert.Contains(scene.Meters.Read(), reading => reading.Instrument == "mux.server.refused_calls" && reading.Tag("mux.limit") == "ForwardedCalls" && reading.Value > 0);
        await EndAsync(attackers, shop.Started.Count - 20);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Streams_of_a_client_beside_three_that_open_thousands_and_grant_no_credit_work()
    {
        const int Streams = 2_000;
        var (shop, scene, _, gateway, proxy) = Start(gateway: static options => options.MaxStreamBytes = 64 << 20);
        var attackers = await ConnectAsync(scene, gateway);
        foreach (var attacker in attackers) attacker.Send(Enumerable.Range(1, Streams).Select(slot => RawClient.Request(slot, 1, List, new byte[102])));
        await Eventually.Holds(() => shop.Started.Count + attackers.Sum(attacker => attacker.Answers.Count) == Greedy * Streams, "streams that are open, and refusals of the others");

        for (int i = 0; i < 4; i++) Assert.Equal(3, await proxy.List([1], null, TestContext.Current.CancellationToken).CountAsync(TestContext.Current.CancellationToken));

        Assert.All(attackers, attacker => Assert.InRange(Streams - attacker.Answers.Count, 1, 1_024)); // 64 MiB of a connection, 64 KiB for each
        Assert.Contains(attackers.SelectMany(attacker => attacker.Failures), failure =>
            failure.Text.StartsWith("The open streams of the connection reserve 67108864 bytes at the gateway, whose MaxStreamBytes", StringComparison.Ordinal));
        foreach (var attacker in attackers) attacker.Dispose();
        await Eventually.Holds(() => gateway.GetStatistics() is var now && now.CallsStarted == now.CallsCompleted, "the end of the attackers' streams");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Request_streams_are_shared_as_calls_are()
    {
        var (shop, scene, gateway) = StartLimited(static route => route.MaxRequestStreams = 16);
        shop.OnCollect = async (items, token) =>
        {
            await foreach (var item in items.WithCancellation(token)) return item;
            return [];
        };
        using var attacker = (await ConnectAsync(scene, gateway))[0];
        attacker.Send(Enumerable.Range(1, 100).Select(slot => RawClient.Request(slot, 1, Collect, RequestOptions.Stream)));
        await attacker.Answers.ReachAsync(92); // it leaves as many as it has
        await shop.Started.ReachAsync(8);
        Assert.Equal([7], await scene.CreateChannel(gateway).CreateProxy<IShop>().Collect([], Shop.Repeat([7], 1), TestContext.Current.CancellationToken));
        Assert.Equal((92, 9), (attacker.Answers.Count, shop.Started.Count));
        Assert.Contains("MaxRequestStreams", attacker.Failures[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task One_way_calls_count_until_the_service_has_run_them()
    {
        var (shop, scene, gateway) = StartLimited(static route => route.MaxCalls = 16);
        shop.OnTell = async question => await WaitIfEmpty(question, null, default);
        var attackers = await ConnectAsync(scene, gateway);
        attackers[0].Send(Enumerable.Range(1, 100).Select(slot => RawClient.Request(slot, 1, Tell, RequestOptions.OneWay)));
        await attackers[0].Answers.ReachAsync(92);
        await shop.Started.ReachAsync(8);
        Assert.Equal([7], await scene.CreateChannel(gateway).CreateProxy<IShop>().AskNow([7]));
        Assert.Equal((92, 9), (attackers[0].Answers.Count, shop.Started.Count));
        await EndAsync(attackers, 8);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Places_of_a_client_are_anothers_when_its_connection_has_ended()
    {
        var (shop, scene, gateway) = StartLimited(static route => route.MaxCalls = 16);
        shop.OnAsk = async (question, _, token) =>
        {
            await new TaskCompletionSource().Task.WaitAsync(token);
            return question;
        };
        for (int round = 1; round <= 5; round++)
        {
            using var client = (await ConnectAsync(scene, gateway, 1))[0];
            client.Send(Enumerable.Range(1, 20).Select(slot => RawClient.Request(slot, 1, Ask)));
            await client.Answers.ReachAsync(12);
            await shop.Started.ReachAsync(round * 8);
            client.Dispose();
            await Eventually.Holds(() => gateway.GetStatistics() is var now && now.CallsStarted == now.CallsCompleted, "the end of its calls");
        }
    }

    private (Shop Shop, Scene Scene, MuxServer Gateway) StartLimited(Action<MuxRoute> limit)
    {
        var scene = Begin(TransportKind.InMemory);
        var shop = new Shop();
        var route = new MuxRoute(Pattern, scene.CreateChannel(scene.StartServer(server => server.AddService<IShop>(shop))));
        limit(route);
        return (shop, scene, scene.StartServer(server => server.AddRoute(route)));
    }

    private static async Task<List<RawClient>> ConnectAsync(Scene scene, MuxServer gateway, int count = Greedy)
    {
        List<RawClient> clients = [];
        for (int i = 0; i < count; i++)
        {
            var client = await RawClient.ConnectAsync(scene, gateway);
            client.Send([
                RawClient.Define(Ask, "shop.Orders/Ask"), RawClient.Define(List, "shop.Orders/List", MethodShape.ResponseStream),
                RawClient.Define(Collect, "shop.Orders/Collect", MethodShape.RequestStream), RawClient.Define(Tell, "shop.Orders/Tell", MethodShape.OneWay)]);
            clients.Add(client);
        }

        return clients;
    }

    private async ValueTask<byte[]> WaitIfEmpty(byte[] question, MuxCallOptions? options, CancellationToken token)
    {
        if (question.Length == 0) await _answer.WaitAsync();
        return question;
    }

    private async Task EndAsync(List<RawClient> clients, long replies)
    {
        _answer.Set();
        await Eventually.Holds(() => clients.Sum(client => client.Replies.Count) == replies, "the replies of the calls that ran");
        foreach (var client in clients) client.Dispose();
    }
}
