using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Running;
using Mux.TestSupport.Transports;

namespace Mux.Spec.Clients;

/// <summary>What <c>mux spec --listen</c> asks of a client, of the client of Mux: bad servers in every split, unusual and silent ones, and it comes back after each.</summary>
public sealed class ClientTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    public static TheoryData<string> BadServers() => [.. ClientCatalogue.Bad.Select(badInput => badInput.Name)];

    public static TheoryData<string> OtherServers() => [.. ClientCatalogue.Others.Select(other => other.Name)];

    [Theory]
    [MemberData(nameof(BadServers))]
    public async Task A_client_does_what_it_has_to_at_a_bad_server(string name)
    {
        var target = await fixture.TargetAsync();
        var badInput = BadInputCatalogue.Find(name);
        Assert.SkipWhen(target.WhyNot(badInput) is not null, target.WhyNot(badInput) ?? "");
        var runner = new SpecRunner(target, Awaited.Patience);
        foreach (var split in Enum.GetValues<SpecSplit>())
        {
            var result = await runner.RunAsync(badInput, split, TestContext.Current.CancellationToken);
            Assert.True(result.Verdict == SpecVerdict.Passed, $"{split}, step {result.Step}: {result.Got}");
        }
    }

    [Theory]
    [MemberData(nameof(OtherServers))]
    public async Task A_client_does_what_it_has_to_at_an_unusual_or_silent_server(string name)
    {
        var target = await fixture.TargetAsync();
        var runner = new ClientRunner(fixture.Arrivals, Awaited.Patience, Awaited.Patience, target.Settings);

        var result = await runner.RunAsync(ClientCatalogue.Others.Single(other => other.Name == name), TestContext.Current.CancellationToken);

        Assert.SkipWhen(result.Verdict == SpecVerdict.Skipped, result.Got);
        Assert.True(result.Verdict == SpecVerdict.Passed, $"Step {result.Step}: {result.Got}");
    }

    [Fact]
    public void There_are_more_than_48_bad_servers() => Assert.True(ClientCatalogue.Bad.Count(badInput => badInput.Reaction.End is not null) > 48);
}
