using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>Both sides were built against contracts that differ, and calls succeed all the same: what gets lost is told once, and at both sides.</summary>
public sealed class ContractDifferenceTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Each_side_warns_once_for_each_method_that_differs(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var first = scene.CreateChannel(server);
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(5, (await first.CreateProxy<IOtherDesk>().AskPlainly(new LongerQuestion { Id = 5, Added = 1 })).Id);
            Assert.Equal(6, (await first.CreateProxy<IOtherDesk>().AskInline(new Question { Id = 6 }, TestContext.Current.CancellationToken)).Id);
            Assert.Equal(7, (await first.CreateProxy<IOtherDesk>().Ask(new Question { Id = 7 }, TestContext.Current.CancellationToken)).Id);
        }

        var second = scene.CreateChannel(server);
        await second.CreateProxy<IOtherDesk>().AskPlainly(new LongerQuestion());

        string[] expected = ["requests of test.Desk/AskPlainly", "replies of test.Desk/AskInline"];
        var atServer = await scene.Logs.ReachAsync("ServerContractDiffers", 2);
        Assert.Equal(2, atServer.Count);
        Assert.All(expected, text => Assert.Single(atServer, entry => entry.Text.Contains(text, StringComparison.Ordinal)));
        Assert.All(atServer, entry => Assert.Equal(LogLevel.Warning, entry.Level));
        Assert.All([atServer[0], scene.Logs.Of("ClientContractDiffers")[0]], entry => Assert.Contains(
            "While compatible versions of the contract roll out, this is expected; otherwise build both sides against the same contract.", entry.Text, StringComparison.Ordinal));
        var atClients = await scene.Logs.ReachAsync("ClientContractDiffers", 3);
        Assert.Equal(3, atClients.Count);
        Assert.All(expected, text => Assert.Single(atClients, entry => entry.Text.StartsWith($"client 1: {server.Address} has another contract: the {text} ", StringComparison.Ordinal)));
        Assert.Single(atClients, entry => entry.Text.StartsWith($"client 2: {server.Address} has another contract: the {expected[0]} ", StringComparison.Ordinal));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Nothing_is_said_where_contracts_are_the_same()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(new Desk()))).CreateProxy<IDesk>();
        await sut.AskPlainly(new Question());
        await sut.Ask(new Question(), TestContext.Current.CancellationToken);
        Assert.DoesNotContain(scene.Logs.Entries, entry => entry.Name?.EndsWith("ContractDiffers", StringComparison.Ordinal) == true);
    }
}
