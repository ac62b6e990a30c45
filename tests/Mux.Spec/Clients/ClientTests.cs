using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Running;
using Mux.TestSupport.Transports;

namespace Mux.Spec.Clients;

/// <summary>What <c>mux spec --listen</c> asks of a client, of the client of Mux: bad servers in every split, unusual and silent ones, and it comes back after each.</summary>
public sealed class ClientTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly TimeSpan s_notice = TimeSpan.FromSeconds(1); // how soon a client notices silence

    public static TheoryData<string> BadServers() => [.. ClientCatalogue.Bad.Select(badInput => badInput.Name)];

    public static TheoryData<string> OtherServers() => [.. ClientCatalogue.Others.Where(other => !other.IsSilence).Select(other => other.Name)];

    public static TheoryData<string> SilentServers() => [.. ClientCatalogue.Others.Where(other => other.IsSilence).Select(other => other.Name)];

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
    public async Task A_client_does_what_it_has_to_at_an_unusual_server(string name) => await PassAsync(fixture.Arrivals, Find(name));

    [Theory]
    [MemberData(nameof(SilentServers))]
    public async Task A_client_notices_a_server_that_falls_silent(string name)
    {
        var silence = Find(name);
        await using var client = new RunningClient(silence.IsOpen ? Awaited.Patience : s_notice, s_notice);

        await PassAsync(client.Arrivals, silence);
    }

    [Fact]
    public void There_are_more_than_48_bad_servers() => Assert.True(ClientCatalogue.Bad.Count(badInput => badInput.Reaction.End is not null) > 48);

    private static ClientCase Find(string name) => ClientCatalogue.Others.Single(other => other.Name == name);

    private async Task PassAsync(ClientArrivals arrivals, ClientCase clientCase)
    {
        var runner = new ClientRunner(arrivals, Awaited.Patience, Awaited.Patience, (await fixture.TargetAsync()).Settings);

        var result = await runner.RunAsync(clientCase, TestContext.Current.CancellationToken);

        Assert.SkipWhen(result.Verdict == SpecVerdict.Skipped, result.Got);
        Assert.True(result.Verdict == SpecVerdict.Passed, $"Step {result.Step}: {result.Got}");
    }
}
