using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Forwarding;

/// <summary>Clients of a gateway share its connection to the service: what one of them does wrong must fail no call of another.</summary>
public sealed class MisusingClientTests : GatewayTests
{
    private const int Names = 300; // the budget of a connection is 200, and one for each eight requests

    [Fact(Timeout = TestLimit)]
    public async Task Made_up_methods_of_one_client_end_its_own_connection_and_no_call_of_another()
    {
        var (shop, scene, _, gateway, proxy) = Start();
        scene.ExpectedEnds.Add(CloseReason.ExcessiveLoad);
        var answer = new Signal("the answer of the open call");
        shop.OnAsk = async (question, _, _) =>
        {
            if (question.Length == 0) await answer.WaitAsync();
            return question;
        };
        var open = proxy.Ask([], cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await shop.Started.ReachAsync(1);

        using var attacker = await RawClient.ConnectAsync(scene, gateway);
        await CallNamesAsync(attacker);

        Assert.Equal(ConnectionCode.ExcessiveLoad, attacker.Reason);
        for (int i = 1; i <= 20; i++) Assert.Equal(Bytes(i), await proxy.AskNow(Bytes(i)));
        answer.Set();
        Assert.Empty(await open.Within("the open call"));
        Assert.Single(await scene.Logs.ReachAsync("ServerPeerCutOff"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Behind_two_gateways_the_first_counts_what_its_client_does_wrong()
    {
        var (_, scene, _, second, proxy) = Start();
        scene.ExpectedEnds.Add(CloseReason.ExcessiveLoad);
        var first = StartGateway(scene, scene.CreateChannel(second));
        using var attacker = await RawClient.ConnectAsync(scene, first);
        var beside = scene.CreateChannel(first).CreateProxy<IShop>();
        await beside.AskNow([1]);

        await CallNamesAsync(attacker);

        await beside.AskNow([2]);
        await proxy.AskNow([3]);
        Assert.Single(await scene.Logs.ReachAsync("ServerPeerCutOff"));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(false, 200)]
    [InlineData(true, 1_000)] // it might be a gateway with five such clients
    public async Task Undecodable_requests_of_one_client_are_refused_at_the_gateway_and_another_calls_the_same_method(bool saysGateway, int budget)
    {
        const int Wave = 400, Waves = 5;
        var scene = Begin(TransportKind.InMemory, new ManualTime()); // a refusal lasts for a second
        var service = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("test.*", scene.CreateChannel(service))));
        var proxy = scene.CreateChannel(gateway).CreateProxy<IDesk>();
        using var attacker = await RawClient.ConnectAsync(scene, gateway);
        attacker.Send([RawClient.Define(0, "test.Desk/AskPlainly")]);
        for (int wave = 1; wave <= Waves; wave++)
        {
            attacker.Send(Enumerable.Range(1, Wave).Select(slot => Undecodable(slot, wave, saysGateway)));
            await attacker.Answers.ReachAsync(wave * Wave);
            for (int i = 1; i <= 20; i++) Assert.Equal(i, (await proxy.AskPlainly(new Question { Id = i })).Id);
        }

        var refused = attacker.Failures[^1];
        Assert.Equal(MuxStatus.ResourceExhausted, (MuxStatus)refused.Status);
        Assert.Contains("Limits.MisusedRequests", refused.Text, StringComparison.Ordinal);
        Assert.InRange(attacker.Failures.Count(failure => failure.Status == (byte)MuxStatus.InvalidArgument), budget, budget + (2 * Wave));
    }

    private static byte[] Undecodable(int slot, int generation, bool saysGateway) => saysGateway
        ? ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, (uint)generation), [.. ForwardedRequest.Head(0), 0xFF, 0xFF, 0xFF])
        : RawClient.Request(slot, generation, 0, 0xFF, 0xFF, 0xFF);

    /// <summary>Calls methods that the service does not have, until the connection is over.</summary>
    private static async Task CallNamesAsync(RawClient attacker)
    {
        attacker.Send(Enumerable.Range(0, Names).SelectMany(name => new[] { RawClient.Define(name, $"shop.Orders/Nothing{name}"), RawClient.Request(name + 1, 1, name) }));
        await Eventually.Holds(() => attacker.Answers.Count >= Names || attacker.Ended.IsSet, "the answers to made-up names");
        attacker.Send([RawClient.Request(Names + 1, 1, 0)]); // the requests before it may have come before the first answer
        await attacker.Ended.WaitAsync();
    }
}
